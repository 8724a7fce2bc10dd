import { recordChange } from '@longreach/kit/audit-trail'
import type { Handlers } from '@longreach/kit/service'
import { lockItem, noDashboard, requireEditor, requireItem } from '../item-rights.ts'
import { addressUntilS } from './asset-address.ts'
import { noAsset } from './asset-failures.ts'
import { mostStored, factsOf } from './asset-keeping.ts'
import type { AssetDeps } from './asset-state.ts'
import { deleteAsset, findAsset, findAssets, listAssets, storageOf } from './asset-store.ts'
import { toAsset, urlOfAsset } from './asset-wire.ts'
import type { assetsContract } from './contract.ts'
import { uploadHandlers } from './upload-handlers.ts'

/** Files of dashboards: who sees a dashboard sees its files, and who edits it adds and deletes them. */
export function assetHandlers(deps: AssetDeps): Handlers<typeof assetsContract> {
  const { db, secrets, state } = deps
  return {
    assetStorage: async (_, { organization }) => {
      const { used, reserved } = await storageOf(db, organization.resourceId)
      return {
        enabled: await state.files.isWritable(),
        longreach: { usedBytes: used, reservedBytes: reserved, limitBytes: mostStored },
      }
    },

    assets: async ({ params: { id } }, ctx) => {
      await requireItem(db, ctx, id)
      return (await listAssets(db, id)).map((row) => toAsset(secrets, row, ctx.now))
    },

    assetUrl: async ({ params: { id, name } }, ctx) => {
      await requireItem(db, ctx, id)
      const row = await findAsset(db, id, name)
      if (!row) throw noAsset(name)
      return urlOfAsset(secrets, row, ctx.now)
    },

    assetUrls: async ({ params: { id }, body: { names } }, ctx) => {
      await requireItem(db, ctx, id)
      const found = new Map((await findAssets(db, id, names)).map((row) => [row.name, row]))
      const urls = names.map((name) => {
        const row = found.get(name)
        return { name, url: row ? urlOfAsset(secrets, row, ctx.now) : null }
      })
      return { urls, until: addressUntilS(ctx.now) * 1_000 }
    },

    deleteAsset: async ({ params: { id, name } }, call) => {
      const { ctx, item } = await requireEditor(deps, call, id)
      await db.transaction().execute(async (tx) => {
        const present = await lockItem(tx, id)
        if (!present || present.deleted_at) throw noDashboard(id)
        const before = await deleteAsset(tx, id, name)
        if (!before) throw noAsset(name)
        await recordChange(tx, ctx, {
          resource: 'dashboards',
          action: 'update',
          id,
          label: item.name,
          organization: item.org,
          before: factsOf(before),
        })
      })
    },

    ...uploadHandlers(deps),
  }
}
