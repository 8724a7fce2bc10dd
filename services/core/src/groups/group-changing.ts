import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { checkUnrestricted, checkMayGrant } from '../access/handing-out.ts'
import { withAdministratorKept } from '../access/last-administrator.ts'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { rolesByIds } from '../roles/role-store.ts'
import type { GroupChange } from './group-contract.ts'
import {
  requireGroup,
  requireRoles,
  checkMembersEditable,
  checkGroupRights,
  checkMembersExist,
  checkPoliciesExist,
} from './group-guards.ts'
import type { GroupHandlers } from './group-endpoints.ts'
import { changedIds, type Part, toGroup, wantedMembers } from './group-rules.ts'
import type { FullGroup } from './group-search.ts'
import {
  deleteGroup,
  insertGroup,
  listGroupMembers,
  renameGroup,
  setMembers,
  setPolicies,
  setRoles,
} from './group-store.ts'

export const groupChanging = (deps: CoreDeps) =>
  ({
    createUserGroup: async ({ body }, ctx) => {
      const { id: organization_id } = ctx.organization
      await checkGroupChange(deps, ctx, body)
      return deps.db.transaction().execute(async (tx) => {
        const { name } = body
        const made = await insertGroup(tx, { organization_id, name, label: name, type: 'STANDARD' })
        if (!made) throw groupNameTaken(name)
        return applyGroupChange(tx, ctx, { id: made.id, change: body, before: undefined })
      })
    },

    updateUserGroup: async ({ params: { group: id }, body }, ctx) => {
      const { organization } = ctx
      const before = await requireGroup(deps.db, organization.id, id)
      const renamed = body.name !== undefined && body.name !== before.name
      if (renamed || peopleIn(body)) checkMembersEditable(before)
      await checkGroupChange(deps, ctx, body, before)
      return deps.db.transaction().execute((tx) =>
        withAdministratorKept(tx, [organization.id], async () => {
          if (renamed && body.name !== undefined) {
            await renameGroup(tx, organization.id, id, body.name).catch((error: unknown) => {
              throw (error as { code?: string }).code === '23505'
                ? groupNameTaken(body.name)
                : error
            })
          }
          return applyGroupChange(tx, ctx, { id, change: body, before })
        }),
      )
    },

    deleteUserGroup: async ({ params: { group: id } }, ctx) => {
      const { id: organizationId, resourceId } = ctx.organization
      const group = await requireGroup(deps.db, organizationId, id)
      checkMembersEditable(group)
      await checkGroupRights(deps, ctx, group)
      await deps.db.transaction().execute((tx) =>
        withAdministratorKept(tx, [organizationId], async () => {
          await deleteGroup(tx, organizationId, id)
          await publish(tx, coreContract.events.permissionsChanged, { resourceId })
          const what = { resource: 'usergroups', action: 'delete', id, label: group.label }
          await recordChange(tx, ctx, { ...what, before: toGroup(group) })
        }),
      )
    },
  }) satisfies Partial<GroupHandlers>

const groupNameTaken = (name: string | undefined) =>
  failure(coreContract, 'name_taken', {
    field: 'name',
    message: `There is a group "${name}" already`,
  })

const peopleIn = (change: GroupChange) => {
  const { membersId, regularUserMembersId, adminUserMembersId } = change
  if (!membersId && !regularUserMembersId && !adminUserMembersId) return undefined
  return [...(membersId ?? []), ...(regularUserMembersId ?? []), ...(adminUserMembersId ?? [])]
}

/** Every id must be the organization's own, and what is given or taken the caller's to give. */
async function checkGroupChange(
  { db, pool }: CoreDeps,
  ctx: OrgCtx,
  change: GroupChange,
  before?: FullGroup,
) {
  const { id } = ctx.organization
  const { roles: had, policies } = before ?? { roles: [], policies: [] }
  const { rolesId = had, policiesId = policies } = change
  const moved = peopleIn(change)
  await checkMembersExist(db, id, moved ?? [])
  await requireRoles(db, id, change.rolesId ?? [])
  await checkPoliciesExist(db, id, change.policiesId ?? [])
  const touched = moved ? [...had, ...rolesId] : changedIds(had, rolesId)
  await checkMayGrant({ pool }, ctx, await rolesByIds(db, id, touched))
  const restricts = policies.length + policiesId.length > 0
  if (changedIds(policies, policiesId).length > 0 || (restricts && moved)) checkUnrestricted(ctx)
}

type Applied = { id: number; change: GroupChange; before: FullGroup | undefined }

/** Write the sets, tell everybody, and answer the group as it is now. */
async function applyGroupChange(tx: Kysely<CoreDb>, ctx: OrgCtx, { id, change, before }: Applied) {
  const { id: organizationId, resourceId } = ctx.organization
  const now = new Map<number, Part>()
  for (const row of await listGroupMembers(tx, organizationId, id)) now.set(row.id, row.role)
  const members = wantedMembers(change, now)
  if (members) {
    // Who left the organization meanwhile is refused here too.
    await checkMembersExist(tx, organizationId, [...members.keys()])
    await setMembers(tx, { organizationId, groupId: id }, members)
  }
  if (change.rolesId) await setRoles(tx, organizationId, id, change.rolesId)
  if (change.policiesId) await setPolicies(tx, organizationId, id, change.policiesId)
  await publish(tx, coreContract.events.permissionsChanged, { resourceId })
  const after = toGroup(await requireGroup(tx, organizationId, id))
  await recordChange(tx, ctx, {
    resource: 'usergroups',
    action: before ? 'update' : 'create',
    id,
    label: after.label,
    ...(before && { before: { ...toGroup(before), members: parts(now) } }),
    after: { ...after, members: parts(members ?? now) },
  })
  return after
}

const parts = (members: ReadonlyMap<number, Part>) =>
  [...members].slice(0, 200).map(([id, part]) => ({ id, part }))
