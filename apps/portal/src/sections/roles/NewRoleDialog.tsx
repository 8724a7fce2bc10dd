import { useWords } from '@longreach/ui/use-words'
import { FormDialog } from '@longreach/ui/FormDialog'
import { Select, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useSession } from '../../parts/session/session.ts'
import { nameFrom } from './role-rights.ts'
import { rolesChanged, useRoles } from './role-calls.ts'

type Type = 'APPLICATION' | 'DEVICE'
const nothingWrong = { message: undefined, fields: {} as Record<string, string> }

type Props = { onClose: () => void; copyOf?: { id: number; label: string } | undefined }

/** Makes a role, empty or as a copy of another, and opens it. */
export function NewRoleDialog({ onClose, copyOf }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const navigate = useNavigate()
  const org = useSession().organization.resourceId
  const [label, setLabel] = useState(copyOf ? t('roles.copyLabel', { label: copyOf.label }) : '')
  const [typed, setTyped] = useState<string>()
  const [from, setFrom] = useState<string | null>(copyOf === undefined ? null : String(copyOf.id))
  const [type, setType] = useState<Type>('APPLICATION')
  const name = typed ?? nameFrom(label)
  const create = useMutation({
    mutationFn: () => {
      const body = { name, label: label.trim() }
      const copied = from === null ? { type } : { copyOf: Number(from) }
      return api.core.createRole({ params: { org }, body: { ...body, ...copied } })
    },
    onSuccess: async ({ id }) => {
      await rolesChanged()
      onClose()
      await navigate({ to: `/roles/${id}` })
    },
  })
  const { message, fields } = create.error ? errorText(create.error) : nothingWrong
  const atField = ['name', 'label', 'copyOf'].some((field) => fields[field] !== undefined)
  return (
    <FormDialog
      onClose={onClose}
      title={t(copyOf === undefined ? 'roles.new' : 'roles.copy')}
      verb={t('roles.create')}
      pending={create.isPending}
      error={atField ? undefined : message}
      onSubmit={() => create.mutate()}
    >
      <TextInput
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
        label={t('roles.label')}
        value={label}
        maxLength={255}
        error={fields['label']}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      <TextInput
        label={t('roles.name')}
        description={t('roles.nameHelp')}
        value={name}
        maxLength={100}
        error={fields['name']}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <BeginFrom {...{ from, type, setType }} error={fields['copyOf']} setFrom={setFrom} />
    </FormDialog>
  )
}

type BeginFromProps = {
  from: string | null
  setFrom: (role: string | null) => void
  type: Type
  setType: (type: Type) => void
  error: string | undefined
}

/** Another role to begin with, or the kind of an empty one. */
function BeginFrom({ from, setFrom, type, setType, error }: BeginFromProps) {
  const t = useWords()
  const roles = useRoles().data?.content ?? []
  return (
    <>
      <Select
        label={t('roles.copyOf')}
        placeholder={t('roles.copyOfNothing')}
        clearable
        clearButtonProps={{ 'aria-label': t('roles.copyOfNothing') }}
        data={roles.map(({ id, label: text }) => ({ value: String(id), label: text }))}
        value={from}
        error={error}
        onChange={setFrom}
      />
      {from === null && (
        <Select
          label={t('roles.type')}
          data={[
            { value: 'APPLICATION', label: t('roles.kind.data') },
            { value: 'DEVICE', label: t('roles.kind.device') },
          ]}
          value={type}
          allowDeselect={false}
          onChange={(value) => setType(value === 'DEVICE' ? 'DEVICE' : 'APPLICATION')}
        />
      )}
    </>
  )
}
