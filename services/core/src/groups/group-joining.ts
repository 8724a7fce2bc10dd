import { recordChange } from '@longreach/kit/audit-trail'
import { publish } from '@longreach/kit/events'
import type { OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { withAdministratorKept } from '../access/last-administrator.ts'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { findMember } from '../directory/user-store.ts'
import {
  requireGroup,
  guardedNotFound,
  checkMembersEditable,
  checkGroupRights,
  checkGroupAccess,
} from './group-guards.ts'
import type { GroupHandlers } from './group-endpoints.ts'
import type { FullGroup } from './group-search.ts'
import { deleteMember, insertMember } from './group-store.ts'

export const groupJoining = (deps: CoreDeps) =>
  ({
    addGroupMember: async ({ params: { group: id, user: userId }, query: { role } }, ctx) => {
      const { organization } = ctx
      const group = await manageable(deps, ctx, id)
      await deps.db.transaction().execute(async (tx) => {
        const user = await findMember(tx, organization.id, userId)
        if (!user) throw guardedNotFound('person', userId)
        await insertMember(tx, { organizationId: organization.id, groupId: id, userId, role })
        await publishMemberChange(tx, ctx, {
          group,
          action: 'addMember',
          member: `${user.username} (${role})`,
        })
      })
    },

    removeGroupMember: async ({ params: { group: id, user: userId } }, ctx) => {
      const { organization } = ctx
      const group = await manageable(deps, ctx, id)
      await deps.db.transaction().execute((tx) =>
        withAdministratorKept(tx, [organization.id], async () => {
          const user = await findMember(tx, organization.id, userId)
          const at = { organizationId: organization.id, groupId: id, userId }
          if (!user || !(await deleteMember(tx, at))) throw guardedNotFound('member', userId)
          await publishMemberChange(tx, ctx, {
            group,
            action: 'removeMember',
            member: user.username,
          })
        }),
      )
    },
  }) satisfies Partial<GroupHandlers>

/** A group whose members the caller may change. */
async function manageable(deps: CoreDeps, ctx: OrgCtx, id: number) {
  await checkGroupAccess(deps.db, ctx, { group: id, action: 'update' })
  const group = await requireGroup(deps.db, ctx.organization.id, id)
  checkMembersEditable(group)
  await checkGroupRights(deps, ctx, group)
  return group
}

type Told = { group: FullGroup; action: 'addMember' | 'removeMember'; member: string }

async function publishMemberChange(
  tx: Kysely<CoreDb>,
  ctx: OrgCtx,
  { group, action, member }: Told,
) {
  const { resourceId } = ctx.organization
  await publish(tx, coreContract.events.permissionsChanged, { resourceId })
  await recordChange(tx, ctx, {
    resource: 'usergroups',
    action,
    id: group.id,
    label: group.label,
    ...(action === 'addMember' ? { after: { member } } : { before: { member } }),
  })
}
