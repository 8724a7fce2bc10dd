import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { CloseButton, Select, Switch } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, query } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useMay } from '../../parts/session/session.ts'
import { peopleChanged, type Person, useDeviceGroups, useOrg } from './people-calls.ts'
import classes from './permission.module.css'
import { ContentPending } from '../../parts/pages/ContentPending.tsx'

type Change = { add?: string; remove?: number; byGroups?: boolean }

/** The device groups that a person is restricted to; without any they see what their roles allow. */
export function DevicesTab({ person }: { person: Person }) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useOrg()
  const may = useMay()('users:update')
  const held = useQuery(
    query(api.core.userPolicies, { params: { org, user: person.id }, query: { pageSize: 500 } }),
  )
  const known = useDeviceGroups().data?.content ?? []
  const save = useMutation({
    mutationFn: async ({ add, remove, byGroups }: Change) => {
      const at = (policies: string) => ({ params: { org, user: person.id, policies } })
      if (add !== undefined) await api.core.addUserPolicies(at(add))
      if (remove !== undefined) await api.core.removeUserPolicies(at(String(remove)))
      if (byGroups === undefined) return
      const body = { groupPoliciesEnabled: byGroups }
      await api.core.updateUser({ params: { org, user: person.id }, body })
    },
    onSuccess: () => peopleChanged(),
  })
  if (held.error || !held.data) return <ContentPending {...held} rows={5} />
  const groups = held.data.content
  const free = known.filter(({ id }) => groups.every((group) => group.id !== id))
  return (
    <div className={classes.form}>
      <p className={classes.dim}>
        {t(groups.length === 0 ? 'permission.unrestricted' : 'permission.restricted')}
      </p>
      <ul className={classes.list}>
        {groups.map(({ id, name, type }) => (
          <li key={id}>
            <span className={classes.grow}>
              {type === 'ALL_DEVICES' ? t('permission.allDevices') : name}
            </span>
            {may && (
              <CloseButton
                size="sm"
                aria-label={t('permission.liftRestriction', { name })}
                onClick={() => save.mutate({ remove: id })}
              />
            )}
          </li>
        ))}
      </ul>
      {may && free.length > 0 && (
        <Select
          aria-label={t('permission.restrict')}
          placeholder={t('permission.restrict')}
          searchable
          value={null}
          data={free.map(({ id, name, type }) => ({
            value: String(id),
            label: type === 'ALL_DEVICES' ? t('permission.allDevices') : name,
          }))}
          onChange={(add) => add !== null && save.mutate({ add })}
        />
      )}
      <Switch
        label={t('permission.byGroups')}
        description={t('permission.byGroupsHelp')}
        disabled={!may || save.isPending}
        checked={person.groupPoliciesEnabled === true}
        onChange={(event) => save.mutate({ byGroups: event.currentTarget.checked })}
      />
      {save.error && <ErrorPanel {...errorText(save.error)} />}
    </div>
  )
}
