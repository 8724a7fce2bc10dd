import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { recordMoment } from '@longreach/kit/time-line'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { mustNotGuess, reasonOf } from '../organizations/import-token-handlers.ts'
import {
  countGuess,
  findImportToken,
  giveBackImportToken,
  useImportToken,
  verifyImportToken,
} from '../organizations/import-token-store.ts'
import { placeDevice } from '../policies/device-groups.ts'
import type { MoveItem } from './device-contract.ts'
import { deviceFor, inShort } from './device-access.ts'
import type { DeviceRow } from './device-store.ts'
import { whoLosesIt } from './move-check-store.ts'

type Moving = Pick<Handlers<typeof coreContract>, 'moveCheck' | 'moveDevice'>

export const moving = (deps: CoreDeps): Moving => ({
  moveCheck: async ({ params: { device: id }, query: { organizationImportToken } }, ctx) => {
    const row = await deviceFor(deps, ctx, { id, action: 'delete' })
    const to = await opened(deps, ctx, row, organizationImportToken)
    const from = await placeOf(deps, row.resource_id)
    return {
      device: inShort(row),
      from,
      to: { id: to.id, resourceId: to.resource_id, label: to.label },
      items: await itemsOf(deps, row, to),
    }
  },

  moveDevice: async ({ params: { device: id }, body: { organizationImportToken: token } }, ctx) =>
    moveDevice(deps, ctx, { id, token }),
})

/** Give a device that the caller may delete to the organization that the token opens. */
export async function moveDevice(
  deps: CoreDeps,
  ctx: OrgCtx,
  { id, token }: { id: string; token: string },
) {
  const row = await deviceFor(deps, ctx, { id, action: 'delete' })
  const to = await opened(deps, ctx, row, token)
  const used = { now: ctx.now, usedFor: `device ${id}` }
  const claimed = await deps.db.transaction().execute((tx) => useImportToken(tx, token, used))
  if (!claimed) throw await refused(deps, ctx, token)
  const body = { from: row.resource_id, to: to.resource_id, toRealm: to.realm }
  const moved = await deps.clients.mappings
    .moveForCore({ params: { deviceId: id }, body })
    .catch(async (error: unknown) => {
      await giveBackImportToken(deps.db, token)
      throw error
    })
  await settle(deps, ctx, { row, label: moved.label, to })
  return { ...inShort(row), label: moved.label, orgResourceId: to.resource_id }
}

type Target = { id: number; resource_id: string; label: string; realm: string }

/** The organization that the token opens for this device. */
async function opened(deps: CoreDeps, ctx: OrgCtx, row: DeviceRow, token: string) {
  await mustNotGuess(deps.db, ctx.caller.sub, ctx.now)
  const to = await verifyImportToken(deps.db, token, ctx.now)
  if (!to) throw await refused(deps, ctx, token)
  if (to.resource_id !== row.resource_id) return to
  const message = `The device is in ${to.label} already; ask the other organization for a token`
  throw failure(coreContract, 'import_token_refused', { field: 'organizationImportToken', message })
}

async function refused({ db }: CoreDeps, { caller, now }: OrgCtx, token: string) {
  const known = await findImportToken(db, token)
  if (!known) await countGuess(db, caller.sub, now)
  const message = reasonOf(known, now)
  return failure(coreContract, 'import_token_refused', {
    field: 'organizationImportToken',
    message,
  })
}

/** Groups, rights and both trails, at once; the event of mappings would bring the groups a little later. */
async function settle(
  { db }: CoreDeps,
  ctx: OrgCtx,
  { row, label, to }: { row: DeviceRow; label: string; to: Target },
) {
  const { id: deviceId, resource_id: from } = row
  await db.transaction().execute(async (tx) => {
    await placeDevice(tx, { deviceId, label, orgResourceId: to.resource_id })
    const what = { resource: 'devices', action: 'move', id: deviceId, label }
    const where = { before: { organization: from }, after: { organization: to.resource_id } }
    for (const organization of [from, to.resource_id]) {
      await recordChange(tx, ctx, { ...what, ...where, organization })
    }
    const moment = { deviceId, orgResourceId: to.resource_id, at: ctx.now, kind: 'moved' }
    await recordMoment(tx, {
      ...moment,
      data: { from, to: to.resource_id },
      by: ctx.caller.username,
    })
    for (const resourceId of [from, to.resource_id]) {
      await publish(tx, coreContract.events.permissionsChanged, { resourceId })
    }
  })
}

async function placeOf({ db }: CoreDeps, resourceId: string) {
  const { resource_id, ...place } = await db
    .selectFrom('organization')
    .select(['id', 'resource_id', 'label'])
    .where('resource_id', '=', resourceId)
    .executeTakeFirstOrThrow()
  return { ...place, resourceId: resource_id }
}

const mostNamed = 20
const item = (kind: MoveItem['kind'], fate: MoveItem['fate'], names: readonly string[]) => ({
  kind,
  fate,
  names: names.slice(0, mostNamed),
  count: names.length,
})

/** Everything that a move touches, and what becomes of it. */
async function itemsOf(deps: CoreDeps, row: DeviceRow, to: Target): Promise<MoveItem[]> {
  const params = { deviceId: row.id }
  const query = { to: to.resource_id }
  const { preset, model, outcome } = await deps.clients.mappings.moveOutcome({ params, query })
  const fates = { there: 'goes', copied: 'copied', left: 'left' } as const
  const fate = outcome === 'none' ? undefined : fates[outcome]
  const lost = await whoLosesIt(deps.db, { deviceId: row.id, to: to.id, now: deps.now() })
  return [
    item('history', 'goes', []),
    item('credentials', 'goes', []),
    ...(model !== null && fate ? [item('model', fate, [model])] : []),
    ...(preset !== null && fate ? [item('preset', fate, [preset])] : []),
    ...(lost.groups.length > 0 ? [item('deviceGroups', 'left', lost.groups)] : []),
    ...(lost.people.length > 0 ? [item('people', 'cut', lost.people)] : []),
    ...(lost.roles.length > 0 ? [item('roles', 'cut', lost.roles)] : []),
    ...(lost.keys.length > 0 ? [item('apiKeys', 'cut', lost.keys)] : []),
  ]
}
