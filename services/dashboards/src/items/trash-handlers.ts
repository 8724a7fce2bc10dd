import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { dashboardsContract } from '../contract.ts'
import type { DashboardsDb, ItemRow } from '../database.ts'
import type { DashboardsDeps } from '../deps.ts'
import { lockItem, noDashboard, requireOwner } from '../item-rights.ts'
import type { itemsContract } from './contract.ts'
import { deleteItem, sharesOf, updateItem } from './item-store.ts'
import { toDashboard } from './item-wire.ts'

type Trash = Pick<
  Handlers<typeof itemsContract>,
  'deleteDashboard' | 'restoreDashboard' | 'deleteDashboardForever'
>

/** Deletion into the trash, restoring from it, and deletion for ever. */
export function trashHandlers(deps: DashboardsDeps): Trash {
  const { db } = deps
  return {
    deleteDashboard: async ({ params: { id } }, call) => {
      const { ctx } = await requireOwner(deps, call, id)
      await db.transaction().execute(async (tx) => {
        const before = await lockItem(tx, id)
        if (!before || before.deleted_at) throw noDashboard(id)
        const fields = { deleted_at: ctx.now, deleted_by: ctx.caller.username }
        await told(tx, ctx, 'delete', await updateItem(tx, id, fields))
      })
    },

    restoreDashboard: async ({ params: { id } }, call) => {
      const { ctx, role } = await requireOwner(deps, call, id)
      const item = await db.transaction().execute(async (tx) => {
        const before = await lockItem(tx, id)
        if (!before) throw noDashboard(id)
        // It is there again: by somebody who was quicker.
        if (!before.deleted_at) return before
        const restored = await updateItem(tx, id, { deleted_at: null, deleted_by: null })
        await told(tx, ctx, 'update', restored)
        return restored
      })
      const shares = await sharesOf(db, [{ item, role }])
      return toDashboard({ item, role }, shares.get(id) ?? [])
    },

    deleteDashboardForever: async ({ params: { id } }, call) => {
      const { ctx } = await requireOwner(deps, call, id)
      await db.transaction().execute(async (tx) => {
        const before = await lockItem(tx, id)
        if (!before) throw noDashboard(id)
        if (!before.deleted_at) throw notInTrash(before)
        await deleteItem(tx, id)
        await told(tx, ctx, 'delete', before)
      })
    },
  }
}

async function told(
  tx: Kysely<DashboardsDb>,
  ctx: OrgCtx,
  action: 'delete' | 'update',
  item: ItemRow,
) {
  await recordChange(tx, ctx, {
    resource: 'dashboards',
    action,
    id: item.id,
    label: item.name,
    organization: item.org,
    ...(action === 'delete' ? { before: { name: item.name } } : { after: { name: item.name } }),
  })
}

const notInTrash = ({ name }: ItemRow) =>
  failure(dashboardsContract, 'not_in_trash', {
    message: `${name} is not in the trash. Delete it first; it can be restored for 30 days then.`,
  })
