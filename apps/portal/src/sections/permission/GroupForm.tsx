import { FormShell } from '@longreach/ui/FormShell'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { MultiSelect, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useMay } from '../../parts/session/session.ts'
import { type Group, peopleChanged, useDeviceGroups, useOrg, useRoles } from './people-calls.ts'

/** Name, roles and device groups of a group, saved at once. */
export function GroupForm({ group }: { group: Group }) {
  const t = useWords()
  const errorText = useErrorText()
  const toast = useToast()
  const org = useOrg()
  const may = useMay()
  const [name, setName] = useState(group.name)
  const [roles, setRoles] = useState(group.rolesId.map(String))
  const [policies, setPolicies] = useState(group.policiesId.map(String))
  const knownRoles = useRoles().data?.content ?? []
  const knownPolicies = useDeviceGroups().data?.content ?? []
  const save = useMutation({
    mutationFn: () => {
      const body = { name, rolesId: roles.map(Number), policiesId: policies.map(Number) }
      return api.core.updateUserGroup({ params: { org, group: group.id }, body })
    },
    onSuccess: async () => {
      await peopleChanged()
      toast({ message: t('permission.saved') })
    },
  })
  const failure = save.error ? errorText(save.error) : undefined
  const fields: Partial<Record<string, string>> = failure?.fields ?? {}
  const inField = ['name', 'rolesId', 'policiesId'].some((field) => fields[field] !== undefined)
  const off = !may('usergroups:update')
  return (
    <FormShell
      verb={t('permission.save')}
      pending={save.isPending}
      error={inField ? undefined : failure?.message}
      onSubmit={() => {
        if (!off) save.mutate()
      }}
    >
      <TextInput
        label={t('permission.name')}
        maxLength={255}
        disabled={off}
        value={name}
        error={fields['name']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {may('roles:read') && (
        <MultiSelect
          label={t('permission.roles')}
          searchable
          disabled={off}
          value={roles}
          error={fields['rolesId']}
          data={knownRoles.map(({ id, label }) => ({ value: String(id), label }))}
          onChange={setRoles}
        />
      )}
      {may('devicegroups:read') && (
        <MultiSelect
          label={t('permission.deviceGroups')}
          description={t('permission.deviceGroupsHelp')}
          searchable
          disabled={off}
          value={policies}
          error={fields['policiesId']}
          data={knownPolicies.map(({ id, name: label, type }) => ({
            value: String(id),
            label: type === 'ALL_DEVICES' ? t('permission.allDevices') : label,
          }))}
          onChange={setPolicies}
        />
      )}
    </FormShell>
  )
}
