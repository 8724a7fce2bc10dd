import { can } from '@longreach/authorization/can'
import { AppError, failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { checkUnrestricted, checkMayGrant } from '../access/handing-out.ts'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { membersByIds } from '../directory/user-store.ts'
import { policiesByIds } from '../policies/policy-store.ts'
import { rolesByIds, rolesOfGroups } from '../roles/role-store.ts'
import { type FullGroup, findFullGroup } from './group-search.ts'
import { partOf } from './group-store.ts'

type Executor = Kysely<CoreDb>

export const guardedNotFound = (what: string, id: number) =>
  failure(coreContract, 'not_found', { message: `There is no ${what} ${id} in this organization` })

export async function requireGroup(db: Executor, organizationId: number, id: number) {
  const group = await findFullGroup(db, organizationId, id)
  if (!group) throw guardedNotFound('group', id)
  return group
}

/** A group that people may fill and empty; those that the product fills itself stay as they are. */
export function checkMembersEditable({ type, label }: Pick<FullGroup, 'type' | 'label'>) {
  if (type === 'STANDARD') return
  const message = `"${label}" is kept by the product: its members follow the organization's people`
  throw failure(coreContract, 'made_by_system', { message })
}

/** For who holds the right on groups, and for the administrators of this one. */
export async function checkGroupAccess(
  db: Executor,
  { caller, organization, capability }: OrgCtx,
  { group, action }: { group: number; action: 'read' | 'update' },
) {
  if (can(capability, 'usergroups', action)) return
  // A key does what it was made for; it does not inherit its owner's part in a group.
  const part = caller.apiKey ? undefined : await partOf(db, organization.id, group, caller.sub)
  if (part === 'ADMIN') return
  throw new AppError(403, 'auth.missing_permission', { permission: `usergroups:${action}` })
}

/**
 * Check that the caller may add people to a group and remove them: they must hold every role of the
 * group, and must not be restricted to device groups themselves if the group is.
 */
export async function checkGroupRights({ db, pool }: CoreDeps, ctx: OrgCtx, group: FullGroup) {
  await checkMayGrant({ pool }, ctx, await rolesOfGroups(db, ctx.organization.id, [group.id]))
  if (group.policies.length > 0) checkUnrestricted(ctx)
}

/** Roles of the organization by their ids: every one of them must be there. */
export async function requireRoles(db: Executor, organizationId: number, ids: readonly number[]) {
  const roles = await rolesByIds(db, organizationId, ids)
  refuseUnknown(ids, roles, { what: 'role', field: 'rolesId' })
  return roles
}

/** Every device group must be the organization's own. */
export async function checkPoliciesExist(
  db: Executor,
  organizationId: number,
  ids: readonly number[],
) {
  const policies = await policiesByIds(db, organizationId, ids)
  refuseUnknown(ids, policies, { what: 'device group', field: 'policiesId' })
}

/** Every person must be a member of the organization. */
export async function checkMembersExist(
  db: Executor,
  organizationId: number,
  ids: readonly number[],
) {
  const members = await membersByIds(db, organizationId, ids)
  const unknown = ids.find((id) => !members.some((member) => member.id === id))
  if (unknown === undefined) return
  const message = `There is no person ${unknown} in this organization`
  throw failure(coreContract, 'not_in_organization', { field: 'membersId', message })
}

function refuseUnknown(
  ids: readonly number[],
  known: readonly { id: number }[],
  { what, field }: { what: string; field: string },
) {
  const unknown = ids.find((id) => !known.some((one) => one.id === id))
  if (unknown === undefined) return
  const message = `There is no ${what} ${unknown} in this organization`
  throw failure(coreContract, 'not_found', { field, message })
}
