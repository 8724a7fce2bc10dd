import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Tag } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { CloseButton, Select } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, query } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useMay } from '../../parts/session/session.ts'
import {
  type Group,
  peopleChanged,
  type Person,
  useGroups,
  useOrg,
  useRoles,
} from './people-calls.ts'
import classes from './permission.module.css'
import { ContentPending } from '../../parts/pages/ContentPending.tsx'

/** The groups that a person is in, and the roles that they hold for themselves. */
export function GroupsTab({ person }: { person: Person }) {
  const t = useWords()
  const org = useOrg()
  const groups = useQuery(
    query(api.core.userGroups, { params: { org }, query: { userId: person.id, pageSize: 500 } }),
  )
  if (groups.error || !groups.data) return <ContentPending {...groups} rows={6} />
  const all = groups.data.content
  const own = all.find(({ type }) => type === 'SELF_USER' || type === 'SELF_USER_SERVICE')
  return (
    <div className={classes.form}>
      <h3 className={classes.heading}>{t('permission.ownRoles')}</h3>
      {own && <OwnRoles group={own} />}
      <h3 className={classes.heading}>{t('permission.groups')}</h3>
      <InGroups person={person} groups={all.filter(({ type }) => type === 'STANDARD')} />
    </div>
  )
}

/** A change that is made at once; what was refused is said where it was asked. */
function useChange<T>(change: (value: T) => Promise<unknown>) {
  const errorText = useErrorText()
  const run = useMutation({ mutationFn: change, onSuccess: () => peopleChanged() })
  return [run.mutate, run.error ? errorText(run.error).message : undefined] as const
}

function InGroups({ person, groups }: { person: Person; groups: readonly Group[] }) {
  const t = useWords()
  const org = useOrg()
  const may = useMay()('usergroups:update')
  const known = useGroups().data?.content ?? []
  const at = (group: number | string) => ({ params: { org, group, user: person.id } })
  const [join, joinFailed] = useChange((group: string) =>
    api.core.addGroupMember({ ...at(group), query: {} }),
  )
  const [leave, leaveFailed] = useChange((group: number) => api.core.removeGroupMember(at(group)))
  const failed = joinFailed ?? leaveFailed
  const free = known.filter(({ id }) => groups.every((group) => group.id !== id))
  return (
    <>
      {groups.length === 0 && <p className={classes.dim}>{t('permission.inNoGroup')}</p>}
      <ul className={classes.list}>
        {groups.map(({ id, name, membershipRole }) => (
          <li key={id}>
            <span className={classes.grow}>{name}</span>
            {membershipRole === 'ADMIN' && <Tag tone="info">{t('permission.groupAdmin')}</Tag>}
            {may && (
              <CloseButton
                size="sm"
                aria-label={t('permission.leave', { name })}
                onClick={() => leave(id)}
              />
            )}
          </li>
        ))}
      </ul>
      {may && free.length > 0 && (
        <Select
          aria-label={t('permission.addToGroup')}
          placeholder={t('permission.addToGroup')}
          searchable
          value={null}
          data={free.map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange={(group) => group !== null && join(group)}
        />
      )}
      {failed !== undefined && <ErrorPanel message={failed} />}
    </>
  )
}

function OwnRoles({ group }: { group: Group }) {
  const t = useWords()
  const org = useOrg()
  const may = useMay()
  const known = useRoles().data?.content ?? []
  const at = (roles: string) => ({ params: { org, group: group.id, roles } })
  const [give, giveFailed] = useChange((role: string) => api.core.addGroupRoles(at(role)))
  const [take, takeFailed] = useChange((role: string) => api.core.removeGroupRoles(at(role)))
  const failed = giveFailed ?? takeFailed
  const held = known.filter(({ id }) => group.rolesId.includes(id))
  const free = known.filter(({ id }) => !group.rolesId.includes(id))
  if (!may('roles:read')) return <p className={classes.dim}>{t('permission.mayNotRoles')}</p>
  return (
    <>
      {held.length === 0 && <p className={classes.dim}>{t('permission.noRole')}</p>}
      <ul className={classes.list}>
        {held.map(({ id, label }) => (
          <li key={id}>
            <span className={classes.grow}>{label}</span>
            {may('usergroups:update') && (
              <CloseButton
                size="sm"
                aria-label={t('permission.takeRole', { name: label })}
                onClick={() => take(String(id))}
              />
            )}
          </li>
        ))}
      </ul>
      {may('usergroups:update') && free.length > 0 && (
        <Select
          aria-label={t('permission.addRole')}
          placeholder={t('permission.addRole')}
          searchable
          value={null}
          data={free.map(({ id, label }) => ({ value: String(id), label }))}
          onChange={(role) => role !== null && give(role)}
        />
      )}
      {failed !== undefined && <ErrorPanel message={failed} />}
    </>
  )
}
