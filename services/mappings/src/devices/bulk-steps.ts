import { publish } from '@longreach/kit/events'
import type { OrgCtx } from '@longreach/kit/service'
import { mappingsContract } from '../contract.ts'
import type { MappingsDeps } from '../deps.ts'
import { readAttribute } from './attribute-values.ts'
import { devicesFor, trashFor } from '../reach.ts'
import type { BulkAction } from './bulk-contract.ts'
import { toAsking } from '../asking.ts'
import { changeDevice, putAttributes } from './device-handlers.ts'
import { moveDevice } from './device-moving.ts'
import { restoreDevice, trashDevice } from './device-life.ts'
import { assignPreset } from './device-preset.ts'
import { lockDevice, updateDevice } from './device-store.ts'
import { checkTagLimit } from './tag-limit.ts'

/** A device of a bulk action; `seen` when the job began, and so not somebody else's. */
export type Item = { id: string; label: string; seen?: boolean }
/** A token waits in a job, and is worth devices: it is not stored as it is. */
export const tokenLabel = 'mappings.bulk-move'
/** A move into the organization that its token opened when it was asked for. */
type Move = {
  kind: 'move'
  token: string
  notes?: boolean | undefined
  to: string
  work: string
}
type Step = (item: Item, ctx: OrgCtx) => Promise<unknown>

/** Step of a bulk action for one device, with the rights of the person who started it. */
export function stepOf(
  deps: MappingsDeps,
  action: Exclude<BulkAction, { kind: 'move' }> | Move,
): Step {
  const { db } = deps
  switch (action.kind) {
    case 'addTags':
      return tagStep(deps, (tags) => [...new Set([...tags, ...action.tags])])
    case 'removeTags':
      return tagStep(deps, (tags) => tags.filter((tag) => !action.tags.includes(tag)))
    case 'addToGroup':
    case 'removeFromGroup':
      return groupStep(deps, action.group, action.kind === 'addToGroup')
    case 'setPreset': {
      const { presetId } = action
      return ({ id }, ctx) =>
        db.transaction().execute((tx) => assignPreset(tx, ctx, { id, presetId }))
    }
    case 'setAttribute': {
      const values = readAttribute(action)
      return ({ id }, ctx) =>
        changeDevice(db, ctx, id, (tx, before) => putAttributes(tx, ctx, before, values))
    }
    case 'move':
      return moveStep(deps, action)
    case 'delete':
      return ({ id }, ctx) =>
        db.transaction().execute(async (tx) => {
          // Done again after a crash it is done.
          if (await isInTrash(tx, ctx, id)) return
          await trashDevice(tx, ctx, id)
        })
    case 'restore':
      return ({ id }, ctx) =>
        db.transaction().execute(async (tx) => {
          if (await lockDevice(tx, id, devicesFor(ctx, 'delete'))) return
          await restoreDevice(tx, ctx, { id })
        })
  }
}

const isInTrash = async (tx: MappingsDeps['db'], ctx: OrgCtx, id: string) =>
  (await lockDevice(tx, id, trashFor(ctx))) !== undefined

const tagStep =
  ({ db }: MappingsDeps, change: (tags: string[]) => string[]): Step =>
  ({ id }, ctx) =>
    changeDevice(db, ctx, id, async (tx, before) => {
      const tags = change(before.tags)
      checkTagLimit(tags)
      // Done again after a crash it changes nothing.
      if (tags.length === before.tags.length && tags.every((tag) => before.tags.includes(tag)))
        return
      await updateDevice(tx, id, { tags, updated_at: ctx.now })
    })

const groupStep =
  ({ db, clients }: MappingsDeps, policy: number, inside: boolean): Step =>
  async ({ id }, ctx) => {
    await clients.core.changeDeviceGroup({
      params: { policy, device: id },
      body: { ...toAsking(ctx), inside },
    })
    // Core's event says the same to everybody soon; who asked looks at the list now.
    await publish(db, mappingsContract.events.deviceChanged, {
      deviceId: id,
      configurationChanged: false,
    })
  }

function moveStep(deps: MappingsDeps, { token: sealed, notes = false, to, work }: Move): Step {
  const token = deps.secrets.open(tokenLabel, Buffer.from(sealed, 'base64url')).toString()
  return async ({ id, seen = false }, ctx) => {
    // Done again after a crash it is there, and that is what was asked for.
    if (seen && (await organizationOf(deps.db, id)) === to) return
    await moveDevice(deps, ctx, { device: id, token, work, notes })
  }
}

async function organizationOf(db: MappingsDeps['db'], id: string) {
  const row = await db
    .selectFrom('device')
    .select('organization')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.organization
}
