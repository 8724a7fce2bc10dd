import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { UploadRow } from '../database.ts'
import { requireEditor } from '../item-rights.ts'
import {
  incomplete,
  noUpload,
  storageFull,
  tooLargeAsset,
  tooManyUploads,
  wrongOffset,
  wrongType,
} from './asset-failures.ts'
import { keepUpload, mostStored } from './asset-keeping.ts'
import { lockStorage } from './asset-locks.ts'
import { assetLimits, kindOfName } from './asset-name-contract.ts'
import type { AssetDeps } from './asset-state.ts'
import {
  countUploads,
  deleteUpload,
  findUpload,
  insertUpload,
  lockUpload,
  storageOf,
  updateUpload,
} from './asset-store.ts'
import { toAsset } from './asset-wire.ts'
import type { assetsContract } from './contract.ts'

/** Hours in which an upload can be continued. */
export const uploadHours = 24
/** Most uploads of one person that are under way. */
const mostUploads = 10

type Uploads = Pick<
  Handlers<typeof assetsContract>,
  'startAssetUpload' | 'assetUpload' | 'finishAssetUpload' | 'cancelAssetUpload'
>

/** Uploads in pieces: begin, state, end. The pieces themselves come by a route of their own. */
export function uploadHandlers(deps: AssetDeps): Uploads {
  const { db, state } = deps
  return {
    startAssetUpload: async ({ body }, call) => {
      const { ctx, item } = await requireEditor(deps, call, body.dashboardId)
      const kind = kindOfName(body.name)
      if (!kind) throw wrongType(body.name)
      if (body.bytes > assetLimits[kind]) throw tooLargeAsset(body.name, assetLimits[kind])
      const row: UploadRow = {
        id: randomUUID(),
        item: item.id,
        org: item.org,
        name: body.name,
        widget: body.widgetId ?? '',
        bytes: body.bytes,
        received: 0,
        owner: ctx.caller.sub,
        at: ctx.now,
      }
      await state.files.folder()
      await db.transaction().execute(async (tx) => {
        await lockStorage(tx, item.org)
        if ((await countUploads(tx, row.owner)) >= mostUploads) throw tooManyUploads(mostUploads)
        const { used, reserved } = await storageOf(tx, item.org)
        if (used + reserved + row.bytes > mostStored)
          throw storageFull({ used, reserved, limit: mostStored, bytes: row.bytes })
        await insertUpload(tx, row)
      })
      return toUpload(row)
    },

    assetUpload: async ({ params }, ctx) => {
      const { upload } = await requireUpload(deps, ctx, params.upload)
      return toUpload(upload)
    },

    finishAssetUpload: async ({ params }, call) => {
      const { upload, item, ctx } = await requireUpload(deps, call, params.upload)
      if (upload.received !== upload.bytes) throw incomplete(upload)
      const { row, losses } = await keepUpload(deps, ctx, { item, upload })
      return { ...toAsset(deps.secrets, row, ctx.now), dashboardId: item.id, losses }
    },

    cancelAssetUpload: async ({ params }, ctx) => {
      const { upload } = await requireUpload(deps, ctx, params.upload)
      await deleteUpload(db, upload.id)
      await state.files.remove(state.files.uploadFile(upload.id))
    },
  }
}

/** Upload of the caller for a dashboard that they still edit: 404 for those of others. */
async function requireUpload(deps: AssetDeps, ctx: OrgCtx, id: string) {
  const upload = await findUpload(deps.db, id, ctx.caller.sub)
  const since = ctx.now.getTime() - uploadHours * 3_600_000
  if (!upload || upload.at.getTime() < since) throw noUpload(id)
  return { upload, ...(await requireEditor(deps, ctx, upload.item)) }
}

const toUpload = ({ id, name, bytes, received, at }: UploadRow) => ({
  id,
  name,
  bytes,
  offset: received,
  until: at.getTime() + uploadHours * 3_600_000,
})

/**
 * Keeps a piece of an upload whose caller was admitted, and returns the place of the next one. Of two
 * pieces for the same place one is refused.
 */
export const keepPiece = ({ db, state }: AssetDeps, id: string, offset: number, piece: Buffer) =>
  db.transaction().execute(async (tx) => {
    const upload = await lockUpload(tx, id)
    if (!upload) throw noUpload(id)
    const received = offset + piece.length
    if (offset !== upload.received || received > upload.bytes) throw wrongOffset(upload)
    const handle = await open(state.files.uploadFile(id), offset === 0 ? 'w' : 'r+', 0o600)
    try {
      await handle.write(piece, 0, piece.length, offset)
      await handle.datasync()
    } finally {
      await handle.close()
    }
    await updateUpload(tx, id, { received })
    return received
  })
