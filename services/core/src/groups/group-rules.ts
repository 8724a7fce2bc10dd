import type { GroupChange, UserGroup } from './group-contract.ts'
import type { FullGroup } from './group-search.ts'

export type Part = 'ADMIN' | 'USER'

/** A group as the wire shows it. */
export const toGroup = (group: FullGroup & { part?: Part | null }): UserGroup => ({
  id: group.id,
  name: group.name,
  label: group.label,
  type: group.type,
  organizationId: group.organization_id,
  owner: 'ORGANIZATION',
  groupPoliciesEnabled: group.policies.length > 0,
  ...(group.part && { membershipRole: group.part }),
  memberCount: group.member_count,
  rolesId: group.roles,
  policiesId: group.policies,
})

/** The members that a change asks for; undefined when it leaves them as they are. */
export function wantedMembers(change: GroupChange, before: ReadonlyMap<number, Part>) {
  const { membersId, regularUserMembersId: regular, adminUserMembersId: admins } = change
  if (!membersId && !regular && !admins) return undefined
  const of = (part: Part) => [...before].filter(([, own]) => own === part).map(([id]) => id)
  // A plain list says who, not as what: who is there already keeps their part.
  const kept = membersId
    ? membersId.map((id): [number, Part] => [id, before.get(id) ?? 'USER'])
    : []
  return new Map<number, Part>([
    ...kept,
    ...asPart(regular ?? (membersId ? [] : of('USER')), 'USER'),
    ...asPart(admins ?? (membersId ? [] : of('ADMIN')), 'ADMIN'),
  ])
}

const asPart = (ids: readonly number[], part: Part) => ids.map((id): [number, Part] => [id, part])

/** Ids that are in one of the two sets only. */
export const changedIds = (before: readonly number[], after: readonly number[]) => [
  ...after.filter((id) => !before.includes(id)),
  ...before.filter((id) => !after.includes(id)),
]
