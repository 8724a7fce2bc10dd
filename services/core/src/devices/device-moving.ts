import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { checkTokenGuesses, tokenRefusal } from '../organizations/import-token-handlers.ts'
import {
  countGuess,
  findImportToken,
  markImportTokenMoved,
  reopenImportToken,
  useImportToken,
  verifyImportToken,
} from '../organizations/import-token-store.ts'
import { placeMovedDevice } from '../policies/device-groups.ts'
import { checkPermission, contextOfAsking } from './asking-context.ts'
import { deviceFor, toDeviceInShort } from './device-access.ts'
import type { deviceMoveEndpoints } from './device-move-contract.ts'
import { lossesOf } from './move-losses.ts'

type Moving = Pick<Handlers<typeof coreContract>, keyof typeof deviceMoveEndpoints>

/** Handlers for a move: core uses the token before mappings moves the device, and changes its groups after. */
export const deviceMoving = (deps: CoreDeps): Moving => ({
  moveLosses: async ({ body: { organizationImportToken: token, devices, ...asking } }, now) => {
    const ctx = await contextOfAsking(deps, asking, now)
    checkPermission(ctx, 'devices:delete')
    const { realm: _realm, ...to } = await requireTarget(deps, ctx, { token })
    return { to, items: devices.length === 0 ? [] : await lossesOf(deps, devices, to) }
  },

  beginMove: async ({ params: { device: id }, body }, now) => {
    const { organizationImportToken: token, work, ...asking } = body
    const ctx = await contextOfAsking(deps, asking, now)
    checkPermission(ctx, 'devices:delete')
    const row = await deviceFor(deps, ctx, { id, action: 'delete' })
    const to = await requireTarget(deps, ctx, { token, work })
    checkElsewhere(row.resource_id, to)
    const used = { now: ctx.now, usedFor: useOf(id), work }
    const claimed = await deps.db.transaction().execute((tx) => useImportToken(tx, token, used))
    if (!claimed) throw await refused(deps, ctx, token)
    return { device: toDeviceInShort(row), to }
  },

  endMove: async ({ params: { device: deviceId }, body }) => {
    const { organizationImportToken: token, work, moved } = body
    if (!moved) {
      await reopenImportToken(deps.db, token, work ?? useOf(deviceId))
      return undefined
    }
    await markImportTokenMoved(deps.db, token)
    // Groups and rights, at once; the event of mappings would bring them a little later.
    await deps.db.transaction().execute((tx) => placeMovedDevice(tx, { deviceId, ...moved }))
    return undefined
  },
})

const useOf = (deviceId: string) => `device ${deviceId}`

/** A token, and the work that uses it for many devices. */
type Using = { token: string; work?: string | undefined }

/** The organization that a token opens; refused with the way out. */
async function requireTarget(deps: CoreDeps, ctx: OrgCtx, { token, work }: Using) {
  await checkTokenGuesses(deps.db, ctx.caller.sub, ctx.now)
  const to = await verifyImportToken(deps.db, token, { now: ctx.now, work })
  if (!to) throw await refused(deps, ctx, token)
  const { id, resource_id: resourceId, label, realm } = to
  return { id, resourceId, label, realm }
}

/** A device does not move to where it is; the token stays usable. */
function checkElsewhere(from: string, to: { resourceId: string; label: string }) {
  if (to.resourceId !== from) return
  const message = `The device is in ${to.label} already; ask the other organization for a token`
  throw tokenRefused(message)
}

async function refused({ db }: CoreDeps, { caller, now }: OrgCtx, token: string) {
  const known = await findImportToken(db, token)
  if (!known) await countGuess(db, caller.sub, now)
  return tokenRefused(tokenRefusal(known, now))
}

const tokenRefused = (message: string) =>
  failure(coreContract, 'import_token_refused', { field: 'organizationImportToken', message })

/** Id, path and label of an organization. */
export async function placeOf({ db }: Pick<CoreDeps, 'db'>, resourceId: string) {
  const { resource_id, ...place } = await db
    .selectFrom('organization')
    .select(['id', 'resource_id', 'label'])
    .where('resource_id', '=', resourceId)
    .executeTakeFirstOrThrow()
  return { ...place, resourceId: resource_id }
}
