import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { checkMayGrant } from '../access/handing-out.ts'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { groupsByIds, insertGroupRoles, insertMember } from '../groups/group-store.ts'
import { rolesByIds, rolesOfGroups } from '../roles/role-store.ts'
import { joinOrganization } from './account-making.ts'
import type { Wish } from '../directory/person-contract.ts'
import { findMember, toUser, type UserRow } from '../directory/user-store.ts'

type Part = { groupId: number; role: 'ADMIN' | 'USER' }
type Place = { parts: Part[]; roles: number[]; groupPolicies: boolean }

/** The groups and roles that the new person gets; each must be here and the caller's to give. */
export async function resolvePlace(
  { db, pool }: CoreDeps,
  ctx: OrgCtx,
  body: Wish,
): Promise<Place> {
  const { id } = ctx.organization
  const parts = new Map<number, Part>()
  for (const groupId of [...body.memberOf, ...body.regularUserOf]) {
    parts.set(groupId, { groupId, role: 'USER' })
  }
  for (const groupId of body.adminUserOf) parts.set(groupId, { groupId, role: 'ADMIN' })
  const groups = [...parts.keys()]
  const known = await groupsByIds(db, id, groups)
  const open = known.filter(({ type }) => type === 'STANDARD' || type === 'ALL_USER')
  checkExist(groups, open, { field: 'memberOf', what: 'group to join' })
  const roles = await rolesByIds(db, id, body.rolesId)
  checkExist(body.rolesId, roles, { field: 'rolesId', what: 'role' })
  await checkMayGrant({ pool }, ctx, [...roles, ...(await rolesOfGroups(db, id, groups))])
  const groupPolicies = body.groupPoliciesEnabled
  return { parts: [...parts.values()], roles: [...new Set(body.rolesId)], groupPolicies }
}

function checkExist(
  ids: readonly number[],
  known: readonly { id: number }[],
  { field, what }: { field: string; what: string },
) {
  const missing = ids.find((id) => !known.some((one) => one.id === id))
  if (missing === undefined) return
  const message = `There is no ${what} ${missing} in this organization`
  throw failure(coreContract, 'not_in_organization', { field, message })
}

/** Put somebody into the organization with what they get there. */
export async function joinWithRights(tx: Kysely<CoreDb>, ctx: OrgCtx, user: UserRow, place: Place) {
  const { id: organizationId } = ctx.organization
  const own = await joinOrganization(tx, organizationId, user, place.groupPolicies)
  if (own && place.roles.length > 0) {
    await insertGroupRoles(tx, organizationId, own.id, place.roles)
  }
  await more(tx, ctx, user, place)
}

async function more(tx: Kysely<CoreDb>, ctx: OrgCtx, user: UserRow, place: Place) {
  const { id: organizationId, resourceId } = ctx.organization
  for (const part of place.parts) {
    await insertMember(tx, { organizationId, userId: user.id, ...part })
  }
  await publish(tx, coreContract.events.permissionsChanged, { resourceId })
  await recordChange(tx, ctx, {
    resource: 'users',
    action: 'create',
    id: user.id,
    label: user.username,
    after: { ...toUser(user), groups: place.parts, roles: place.roles },
  })
}

/** The group of a member alone. */
const selectOwnGroup = (tx: Kysely<CoreDb>, organizationId: number, userId: number) =>
  tx
    .selectFrom('user_group as g')
    .innerJoin('group_member as gm', 'gm.group_id', 'g.id')
    .select('g.id')
    .where('g.organization_id', '=', organizationId)
    .where('g.type', 'in', ['SELF_USER', 'SELF_USER_SERVICE'])
    .where('gm.user_id', '=', userId)
    .executeTakeFirst()

/** Let somebody of the realm in; who is a member already only gets more. */
export async function joinOrExtend(tx: Kysely<CoreDb>, ctx: OrgCtx, user: UserRow, place: Place) {
  const { id: organizationId } = ctx.organization
  if (!(await findMember(tx, organizationId, user.id))) return joinWithRights(tx, ctx, user, place)
  const own = await selectOwnGroup(tx, organizationId, user.id)
  if (own && place.roles.length > 0) {
    await insertGroupRoles(tx, organizationId, own.id, place.roles)
  }
  await more(tx, ctx, user, place)
}
