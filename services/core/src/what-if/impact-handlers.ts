import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { findGroup, groupsByIds } from '../groups/group-store.ts'
import { findMember } from '../directory/user-store.ts'
import { contentsOf, requireRole } from '../roles/role-changing.ts'
import { rolesByIds } from '../roles/role-store.ts'
import { toPerson } from '../explanations/explain-rules.ts'
import { contentsOfRoles, namesOfPolicies } from '../explanations/held-store.ts'
import type { Impact, impactEndpoints, RightChange } from './impact-contract.ts'
import { type IfRole, lackedBy, combineRights } from './impact-rules.ts'
import {
  type Affected,
  type Alike,
  groupsOfPerson,
  peopleByIds,
  findRoleFacts,
  rolesBeforeAndAfter,
  type WhatIf,
} from './what-if-store.ts'

type ImpactHandlers = Pick<Handlers<typeof coreContract>, keyof typeof impactEndpoints>
type Db = CoreDeps['db']
type Roles = Map<number, IfRole>

export const impactHandlers = ({ db }: CoreDeps): ImpactHandlers => ({
  roleImpact: async ({ params: { role }, body }, ctx) => {
    const seen = await requireRole(db, ctx.organization.id, role)
    const asked = await contentsOf(db, ctx, body)
    const alike = await rolesBeforeAndAfter(db, ctx.organization.id, { role }, {})
    const before = await rolesOf(db, ctx, alike)
    // Also a role that nobody has yet is in the answer of nobody.
    const own = before.get(role) ?? { ...seen, above: false }
    const { enabled = own.enabled, inherit = own.inherit, deleted = false } = body
    const rules = asked.rules ?? own.rules
    const paths = asked.paths ?? own.paths
    const changed = { ...own, enabled: enabled && !deleted, inherit, rules, paths }
    return impactOf(db, ctx, alike, { before, after: new Map(before).set(role, changed) })
  },

  groupImpact: async ({ params: { group }, body }, ctx) => {
    const { id } = ctx.organization
    if (!(await findGroup(db, id, group))) throw affectedNotFound('group', group)
    await checkRolesExist(db, id, [...body.rolesToAdd, ...body.rolesToRemove])
    for (const user of body.membersToAdd) {
      if (!(await findMember(db, id, user))) throw affectedNotFound('person', user)
    }
    const members = body.deleted ? await memberIdsOfGroup(db, group) : body.membersToRemove
    const inGroup = (users: readonly number[]) => users.map((user) => ({ group, user }))
    const onGroup = (roles: readonly number[]) => roles.map((role) => ({ group, role }))
    const whatIf = {
      membersToAdd: body.deleted ? [] : inGroup(body.membersToAdd),
      membersToRemove: inGroup(members),
      rolesToAdd: onGroup(body.rolesToAdd),
      rolesToRemove: onGroup(body.rolesToRemove),
    }
    return impactIf(db, ctx, { group, joining: body.membersToAdd }, whatIf)
  },

  userImpact: async ({ params: { user }, body }, ctx) => {
    if (!(await findMember(db, ctx.organization.id, user))) throw affectedNotFound('person', user)
    const whatIf = await changeOfPerson(db, ctx.organization.id, user, body)
    return impactIf(db, ctx, { user }, whatIf)
  },
})

const affectedNotFound = (what: string, id: number) =>
  failure(coreContract, 'not_found', { message: `There is no ${what} ${id} in this organization` })

async function checkRolesExist(db: Db, organizationId: number, ids: readonly number[]) {
  const known = await rolesByIds(db, organizationId, ids)
  const there = new Set(known.map(({ id }) => id))
  const unknown = ids.find((id) => !there.has(id))
  if (unknown !== undefined) throw affectedNotFound('role', unknown)
}

const memberIdsOfGroup = async (db: Db, group: number) => {
  const query = db.selectFrom('group_member').select('user_id').where('group_id', '=', group)
  return (await query.execute()).map((row) => row.user_id)
}

type PersonChange = {
  groupsToAdd: number[]
  groupsToRemove: number[]
  rolesToAdd: number[]
  rolesToRemove: number[]
  deleted?: boolean
}

/** No group has this id: roles that would be given to the person alone are carried by it. */
const ownGroup = 0

/** A change of one person's groups and roles; every id must be of the organization. */
export async function changeOfPerson(
  db: Db,
  organizationId: number,
  user: number,
  change: PersonChange,
): Promise<WhatIf> {
  const { groupsToAdd, groupsToRemove, rolesToAdd, rolesToRemove, deleted = false } = change
  const groups = [...groupsToAdd, ...groupsToRemove]
  const known = await groupsByIds(db, organizationId, groups)
  const there = new Set(known.map(({ id }) => id))
  const unknown = groups.find((id) => !there.has(id))
  if (unknown !== undefined) throw affectedNotFound('group', unknown)
  await checkRolesExist(db, organizationId, [...rolesToAdd, ...rolesToRemove])
  const inside = await groupsOfPerson(db, organizationId, user)
  const leaving = deleted ? inside.map(({ group }) => group) : groupsToRemove
  const joining = deleted ? [] : [...groupsToAdd, ...(rolesToAdd.length > 0 ? [ownGroup] : [])]
  const staying = [...inside.map(({ group }) => group), ...joining]
  return {
    membersToAdd: joining.map((group) => ({ group, user })),
    membersToRemove: leaving.map((group) => ({ group, user })),
    rolesToAdd: rolesToAdd.map((role) => ({ group: ownGroup, role })),
    // As two lists: their pairs would be a million.
    rolesToTake: { groups: staying, roles: rolesToRemove },
  }
}

async function impactIf(db: Db, ctx: OrgCtx, affected: Affected, whatIf: WhatIf) {
  const alike = await rolesBeforeAndAfter(db, ctx.organization.id, affected, whatIf)
  const roles = await rolesOf(db, ctx, alike)
  return impactOf(db, ctx, alike, { before: roles, after: roles })
}

/** Every role that plays a part, as it is now. */
export async function rolesOf(
  db: Db,
  { organization }: Pick<OrgCtx, 'organization'>,
  alike: readonly Alike[],
): Promise<Roles> {
  const ids = [...new Set(alike.flatMap(({ before, after }) => [...before, ...after]))]
  const contents = await contentsOfRoles(db, ids)
  const rows = await findRoleFacts(db, ids)
  return new Map(
    rows.map(({ id, enabled, inherit, organization_id }) => {
      const above = organization_id !== organization.id
      const { rules, paths } = contents.get(id) ?? { rules: [], paths: [] }
      return [id, { id, enabled, inherit, above, rules, paths }]
    }),
  )
}

const most = 100

async function impactOf(
  db: Db,
  { organization }: OrgCtx,
  alike: readonly Alike[],
  { before, after }: { before: Roles; after: Roles },
): Promise<Impact> {
  const changes = alike.map((one) => {
    const old = combineRights(organization, one.before, before)
    const next = combineRights(organization, one.after, after)
    return { ...one, lost: lackedBy(next, old), gained: lackedBy(old, next) }
  })
  const touched = changes.filter(({ lost, gained }) => lost.length + gained.length > 0)
  const groups = touched.flatMap(({ lost, gained }) =>
    [...lost, ...gained].flatMap(({ deviceGroup }) => deviceGroup ?? []),
  )
  const names = await namesOfPolicies(db, [...new Set(groups)])
  const shown = (list: (typeof touched)[number]['lost']): RightChange[] =>
    list.map((change) => {
      const id = change.deviceGroup
      return { ...change, deviceGroup: id === null ? null : { id, name: names.get(id) ?? '' } }
    })
  const rows = await peopleByIds(
    db,
    touched.flatMap(({ users }) => users),
  )
  const people = rows.slice(0, most).map((row) => {
    const change = touched.find(({ users }) => users.includes(row.id))
    return {
      user: toPerson(row),
      lost: shown(change?.lost ?? []),
      gained: shown(change?.gained ?? []),
    }
  })
  return { people, totals: totalsOf(touched) }
}

type Touched = Pick<Alike, 'people'> & { lost: unknown[]; gained: unknown[] }

function totalsOf(touched: readonly Touched[]): Impact['totals'] {
  const sum = (of: (one: Touched) => number) => touched.reduce((total, one) => total + of(one), 0)
  const side = (of: 'lost' | 'gained') => ({
    people: sum((one) => (one[of].length > 0 ? one.people : 0)),
    permissions: sum((one) => one[of].length * one.people),
  })
  const losing = side('lost')
  const gaining = side('gained')
  return {
    people: sum(({ people }) => people),
    permissions: losing.permissions + gaining.permissions,
    losing,
    gaining,
  }
}
