import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { checkTokenGuesses, tokenRefusal } from '../organizations/import-token-handlers.ts'
import {
  countGuess,
  findImportToken,
  reopenImportToken,
  markImportTokenMoved,
  useImportToken,
  verifyImportToken,
} from '../organizations/import-token-store.ts'
import { placeMovedDevice } from '../policies/device-groups.ts'
import type { MoveItem } from './device-contract.ts'
import { deviceFor, toDeviceInShort } from './device-access.ts'
import type { DeviceRow } from './device-store.ts'
import { credentialsFate, toMoveItem, lossesOf } from './move-losses.ts'

type Moving = Pick<Handlers<typeof coreContract>, 'moveCheck' | 'moveDevice'>

export const moveHandlers = (deps: CoreDeps): Moving => ({
  moveCheck: async ({ params: { device: id }, query: { organizationImportToken } }, ctx) => {
    const row = await deviceFor(deps, ctx, { id, action: 'delete' })
    const to = await openedFor(deps, ctx, row, { token: organizationImportToken })
    const from = await placeOf(deps, row.resource_id)
    return {
      device: toDeviceInShort(row),
      from,
      to: { id: to.id, resourceId: to.resource_id, label: to.label },
      items: await itemsOf(deps, row, to),
    }
  },

  moveDevice: async ({ params: { device: id }, body }, ctx) =>
    moveDevice(deps, ctx, { id, token: body.organizationImportToken, notes: body.notes }),
})

/** A token, and the work that uses it for many devices. */
type Using = { token: string; work?: string | undefined; notes?: boolean }

/** Give a device that the caller may delete to the organization that the token opens. */
export async function moveDevice(
  deps: CoreDeps,
  ctx: OrgCtx,
  { id, token, work, notes = false }: Using & { id: string },
) {
  const row = await deviceFor(deps, ctx, { id, action: 'delete' })
  const to = await openedFor(deps, ctx, row, { token, work })
  const usedFor = `device ${id}`
  const used = { now: ctx.now, usedFor, work }
  const claimed = await deps.db.transaction().execute((tx) => useImportToken(tx, token, used))
  if (!claimed) throw await refused(deps, ctx, token)
  const place = { from: row.resource_id, to: to.resource_id, toRealm: to.realm, notes }
  const { caller, ip } = ctx
  const body = { ...place, caller, ip, call: ctx.call?.name ?? 'core.moveDevice' }
  const moved = await deps.clients.mappings
    .moveForCore({ params: { deviceId: id }, body })
    .catch(async (error: unknown) => {
      await reopenImportToken(deps.db, token, work ?? usedFor)
      throw error
    })
  await markImportTokenMoved(deps.db, token)
  await settle(deps, { row, label: moved.label, to })
  return { ...toDeviceInShort(row), label: moved.label, orgResourceId: to.resource_id }
}

type Target = { id: number; resource_id: string; label: string; realm: string }

/** The organization that a token opens; refused with the way out. */
export async function requireTarget(
  deps: CoreDeps,
  ctx: OrgCtx,
  { token, work }: Using,
): Promise<Target> {
  await checkTokenGuesses(deps.db, ctx.caller.sub, ctx.now)
  const to = await verifyImportToken(deps.db, token, { now: ctx.now, work })
  if (!to) throw await refused(deps, ctx, token)
  return to
}

/** The same for this device, which must not be there already. */
async function openedFor(deps: CoreDeps, ctx: OrgCtx, row: DeviceRow, using: Using) {
  const to = await requireTarget(deps, ctx, using)
  if (to.resource_id !== row.resource_id) return to
  const message = `The device is in ${to.label} already; ask the other organization for a token`
  throw failure(coreContract, 'import_token_refused', { field: 'organizationImportToken', message })
}

async function refused({ db }: CoreDeps, { caller, now }: OrgCtx, token: string) {
  const known = await findImportToken(db, token)
  if (!known) await countGuess(db, caller.sub, now)
  const message = tokenRefusal(known, now)
  return failure(coreContract, 'import_token_refused', {
    field: 'organizationImportToken',
    message,
  })
}

/** Groups and rights, at once; the event of mappings would bring them a little later. */
const settle = (
  { db }: CoreDeps,
  { row, label, to }: { row: DeviceRow; label: string; to: Target },
) =>
  db
    .transaction()
    .execute((tx) =>
      placeMovedDevice(tx, { deviceId: row.id, label, from: row.resource_id, to: to.resource_id }),
    )

async function placeOf({ db }: CoreDeps, resourceId: string) {
  const { resource_id, ...place } = await db
    .selectFrom('organization')
    .select(['id', 'resource_id', 'label'])
    .where('resource_id', '=', resourceId)
    .executeTakeFirstOrThrow()
  return { ...place, resourceId: resource_id }
}

/** Everything that a move touches, and what becomes of it. */
async function itemsOf(deps: CoreDeps, row: DeviceRow, to: Target): Promise<MoveItem[]> {
  const params = { deviceId: row.id }
  const query = { to: to.resource_id }
  const { preset, model, outcome } = await deps.clients.mappings.moveOutcome({ params, query })
  const fates = { there: 'goes', copied: 'copied', left: 'left' } as const
  const fate = outcome === 'none' ? undefined : fates[outcome]
  return [
    toMoveItem('history', 'goes', []),
    toMoveItem('credentials', credentialsFate(row.resource_id, to.resource_id), []),
    toMoveItem('notes', 'left', []),
    ...(model !== null && fate ? [toMoveItem('model', fate, [model])] : []),
    ...(preset !== null && fate ? [toMoveItem('preset', fate, [preset])] : []),
    ...(await lossesOf(deps, [row.id], to)),
  ]
}
