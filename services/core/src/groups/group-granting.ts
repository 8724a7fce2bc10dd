import { toContentPage } from '@longreach/kit/contract'
import { recordChange } from '@longreach/kit/audit-trail'
import { publish } from '@longreach/kit/events'
import type { OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { checkUnrestricted, checkMayGrant } from '../access/handing-out.ts'
import { withAdministratorKept } from '../access/last-administrator.ts'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { requireGroup, requireRoles, checkPoliciesExist } from './group-guards.ts'
import type { GroupHandlers } from './group-endpoints.ts'
import { toGroup } from './group-rules.ts'
import type { FullGroup } from './group-search.ts'
import {
  deleteGroupPolicies,
  deleteGroupRoles,
  insertGroupPolicies,
  insertGroupRoles,
  policiesOfGroup,
} from './group-store.ts'

export const groupGranting = (deps: CoreDeps) => ({
  ...groupRoleHandlers(deps),
  ...policiesOf(deps),
})

const groupRoleHandlers = (deps: CoreDeps) =>
  ({
    addGroupRoles: async ({ params: { group: id, roles } }, ctx) => {
      const { db } = deps
      const group = await requireGroup(db, ctx.organization.id, id)
      await checkMayGrant(deps, ctx, await requireRoles(db, ctx.organization.id, roles))
      await db.transaction().execute(async (tx) => {
        await insertGroupRoles(tx, ctx.organization.id, id, roles)
        await publishGrantChange(tx, ctx, group)
      })
      return toGroup(await requireGroup(db, ctx.organization.id, id))
    },

    removeGroupRoles: async ({ params: { group: id, roles } }, ctx) => {
      const { db } = deps
      const group = await requireGroup(db, ctx.organization.id, id)
      await checkMayGrant(deps, ctx, await requireRoles(db, ctx.organization.id, roles))
      await db.transaction().execute((tx) =>
        withAdministratorKept(tx, [ctx.organization.id], async () => {
          await deleteGroupRoles(tx, ctx.organization.id, id, roles)
          await publishGrantChange(tx, ctx, group)
        }),
      )
    },
  }) satisfies Partial<GroupHandlers>

const policiesOf = ({ db }: CoreDeps) =>
  ({
    groupPolicies: async ({ params: { group: id }, query }, { organization }) => {
      await requireGroup(db, organization.id, id)
      const { rows, total } = await policiesOfGroup(db, { group: id, ...query })
      return toContentPage(rows, total, query)
    },

    addGroupPolicies: async ({ params: { group: id, policies } }, ctx) => {
      const group = await requireGroup(db, ctx.organization.id, id)
      await checkPoliciesExist(db, ctx.organization.id, policies)
      checkUnrestricted(ctx)
      await db.transaction().execute(async (tx) => {
        await insertGroupPolicies(tx, ctx.organization.id, id, policies)
        await publishGrantChange(tx, ctx, group)
      })
    },

    removeGroupPolicies: async ({ params: { group: id, policies } }, ctx) => {
      const group = await requireGroup(db, ctx.organization.id, id)
      await checkPoliciesExist(db, ctx.organization.id, policies)
      checkUnrestricted(ctx)
      await db.transaction().execute(async (tx) => {
        await deleteGroupPolicies(tx, ctx.organization.id, id, policies)
        await publishGrantChange(tx, ctx, group)
      })
    },
  }) satisfies Partial<GroupHandlers>

/** The group's rights or restrictions are others now. */
async function publishGrantChange(tx: Kysely<CoreDb>, ctx: OrgCtx, before: FullGroup) {
  const { id, resourceId } = ctx.organization
  await publish(tx, coreContract.events.permissionsChanged, { resourceId })
  const after = await requireGroup(tx, id, before.id)
  await recordChange(tx, ctx, {
    resource: 'usergroups',
    action: 'update',
    id: before.id,
    label: before.label,
    before: { rolesId: before.roles, policiesId: before.policies },
    after: { rolesId: after.roles, policiesId: after.policies },
  })
}
