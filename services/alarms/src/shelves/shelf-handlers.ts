import { randomUUID } from 'node:crypto'
import { can } from '@longreach/authorization/can'
import { isWithin, reachOf } from '@longreach/authorization/reach'
import { recordChange } from '@longreach/kit/audit-trail'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { rightsIn } from '@longreach/authorization/device-visibility'
import type { AlarmsDb } from '../database.ts'
import type { AlarmsDeps } from '../deps.ts'
import { changeShelves } from '../occurrences/shelf-cover.ts'
import { requireDevices } from '../devices/device-facts.ts'
import { visibleTo } from '../search/visible.ts'
import type { Shelf, ShelfReason, ShelfTarget, shelvesContract } from './contract.ts'
import { alreadyShelved, noShelf, shelfFromAbove } from './shelf-errors.ts'
import { checkEnd, checkLength, checkNote, checkRoom } from './shelf-checks.ts'
import {
  changeEnd,
  type CountedShelf,
  endShelves,
  findShelf,
  insertShelves,
  liftBelow,
  listShelves,
  lockShelf,
  type ShelfRow,
} from './shelf-store.ts'
import {
  alarmTargets,
  isFree,
  requireRight,
  type Targeted,
  targetOf,
  tooWide,
} from './shelf-target.ts'
import { settleShelves } from './shelf-times.ts'
import type { z } from 'zod'

type Tx = Kysely<AlarmsDb>

/** Batches of alarms that a call puts on a shelf itself; those that remain follow within a second. */
const batchesAtOnce = 2

/**
 * Keeps a device that never had an alarm, as its shelf would be nobody's to see. In a transaction of its own: alarms hold
 * the shelves first and then their devices, and two that do it the other way round wait for each other.
 */
const keepDevice = ({ db, clients }: AlarmsDeps, id: string) =>
  db.transaction().execute((tx) => requireDevices({ clients }, tx, [id]))

/** Handlers of shelves. */
export const shelfHandlers = (deps: AlarmsDeps): Handlers<typeof shelvesContract> => ({
  shelves: async ({ query }, ctx) => {
    const visible = await visibleTo(deps.db, ctx)
    const { rows, total } = await listShelves(deps.db, ctx, visible, query)
    const last = (query.page + 1) * query.pageSize >= total
    return { data: rows.map((row) => toShelf(ctx, row)), totalElements: total, last }
  },

  shelf: async ({ params: { id } }, ctx) => toShelf(ctx, await shelfOf(deps, ctx, id)),

  createShelf: async ({ body }, ctx) => {
    const visible = await visibleTo(deps.db, ctx)
    checkEnd(body.until, ctx.now)
    const target = await targetOf(deps, ctx, visible, body.target)
    checkLength(ctx, target.org, { until: body.until, begun: ctx.now.getTime() })
    await checkNote(deps.db, target, body)
    const row = newShelf(ctx, target, body)
    if (row.device_id !== null) await keepDevice(deps, row.device_id)
    await deps.db.transaction().execute(async (tx) => {
      await checkRoom(tx, [row])
      const written = await insertShelves(tx, [row])
      if (written.size === 0) throw alreadyShelved(row)
      await recordShelf(tx, ctx, { after: row })
      await changeShelves(tx)
    })
    await settleShelves(deps, batchesAtOnce)
    return toShelf(ctx, await shelfOf(deps, ctx, row.id))
  },

  shelveAlarms: async ({ body }, ctx) => {
    const visible = await visibleTo(deps.db, ctx)
    checkEnd(body.until, ctx.now)
    const found = await alarmTargets(deps, visible, body.ids)
    for (const org of new Set(found.map(({ target }) => target.org)))
      checkLength(ctx, org, { until: body.until, begun: ctx.now.getTime() })
    const kinds = Map.groupBy(found, ({ target: { org, class: name } }) => `${org} ${name}`)
    for (const [first] of kinds.values()) if (first) await checkNote(deps.db, first.target, body)
    const rows = new Map(found.map(({ target }) => [target.target_id, newShelf(ctx, target, body)]))
    const written = await deps.db
      .transaction()
      .execute((tx) => shelveAll(tx, ctx, [...rows.values()]))
    await settleShelves(deps, batchesAtOnce)
    return outcomeOf(body.ids, found, written)
  },

  changeShelf: async ({ params: { id }, body }, ctx) => {
    checkEnd(body.until, ctx.now)
    await deps.db.transaction().execute(async (tx) => {
      const before = await ownShelf(tx, ctx, id)
      if (!isHere(ctx, before)) throw shelfFromAbove(before)
      checkLength(ctx, before.org, { until: body.until, begun: before.created_at.getTime() })
      const after = {
        ...before,
        until: new Date(body.until),
        end_on_return: body.endOnReturn ?? before.end_on_return,
        note: body.note ?? before.note,
      }
      await checkNote(tx, targetedOf(before), { reason: reasonOf(after), note: after.note })
      await changeEnd(tx, after)
      await recordShelf(tx, ctx, { before, after })
      await changeShelves(tx)
    })
    // Of several shelves the one that lasts longest holds an alarm.
    await settleShelves(deps, batchesAtOnce)
    return toShelf(ctx, await shelfOf(deps, ctx, id))
  },

  liftShelf: async ({ params: { id } }, ctx) => {
    await deps.db.transaction().execute(async (tx) => {
      const before = await ownShelf(tx, ctx, id)
      const by = ctx.caller.username
      if (isHere(ctx, before)) await endShelves(tx, [id], { at: ctx.now, how: 'lifted', by })
      else await liftBelow(tx, id, { org: ctx.organization.resourceId, by, at: ctx.now })
      await recordShelf(tx, ctx, { before })
      await changeShelves(tx)
    })
    await settleShelves(deps, batchesAtOnce)
    return undefined
  },
})

type Shelved = Awaited<ReturnType<typeof alarmTargets>>
type Skipped = { id: string; reason: 'already' | 'not_found' }

/** Outcome for each alarm that was asked for. */
function outcomeOf(ids: readonly string[], found: Shelved, written: ReadonlySet<string>) {
  const keys = new Map(found.map(({ id, target }) => [id, target.target_id]))
  const done: string[] = []
  const skipped: Skipped[] = []
  for (const id of new Set(ids)) {
    const key = keys.get(id)
    if (key === undefined) skipped.push({ id, reason: 'not_found' })
    else if (written.has(key)) done.push(id)
    else skipped.push({ id, reason: 'already' })
  }
  return { done, skipped }
}

async function shelveAll(tx: Tx, ctx: OrgCtx, rows: readonly ShelfRow[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  await checkRoom(tx, rows)
  const written = await insertShelves(tx, rows)
  for (const row of rows) if (written.has(row.target_id)) await recordShelf(tx, ctx, { after: row })
  await changeShelves(tx)
  return written
}

async function shelfOf({ db }: Pick<AlarmsDeps, 'db'>, ctx: OrgCtx, id: string) {
  const row = await findShelf(db, ctx, await visibleTo(db, ctx), id)
  if (!row) throw noShelf(id)
  return row
}

/** Shelf that the caller may lift: their own, or with the right to update. */
async function ownShelf(tx: Tx, ctx: OrgCtx, id: string): Promise<CountedShelf> {
  await lockShelf(tx, id)
  const row = await shelfOf({ db: tx }, ctx, id)
  const rights = rightsIn(ctx, isHere(ctx, row) ? row.org : ctx.organization.resourceId)
  if (isMine(ctx, row) && isHere(ctx, row)) return row
  requireRight(rights, 'update')
  if (isWide(row) && !isFree(rights)) throw tooWide()
  return row
}

const isWide = ({ target_type }: ShelfRow) => target_type !== 'alarm' && target_type !== 'device'
const isHere = (ctx: OrgCtx, { org }: ShelfRow) => isWithin(reachOf(ctx), org)
const isMine = ({ caller }: OrgCtx, { by_sub }: ShelfRow) => by_sub === caller.sub

/** Columns of a target: its class is only looked at. */
function placeOfTarget({ class: _class, ...columns }: Targeted) {
  return columns
}

type Given = { reason: ShelfReason; note: string; until: number; endOnReturn: boolean }

function newShelf(
  { caller, now }: OrgCtx,
  target: Targeted,
  { reason, note, until, endOnReturn }: Given,
): ShelfRow {
  return {
    ...placeOfTarget(target),
    id: randomUUID(),
    reason,
    note,
    until: new Date(until),
    end_on_return: endOnReturn,
    by_sub: caller.sub,
    by_user: caller.username,
    created_at: now,
    ended_at: null,
    ended_by: null,
    ended_how: null,
    pending: true,
  }
}

const targetedOf = ({ target_type, target_id, ...row }: ShelfRow): Targeted => ({
  ...row,
  target_type,
  target_id,
  ...(target_type === 'class' && { class: target_id }),
})

const reasonOf = ({ reason }: ShelfRow) => reason as ShelfReason // written by this service

/** Shelf on the wire for a caller. */
function toShelf(ctx: OrgCtx, row: CountedShelf): z.input<typeof Shelf> {
  const fromAbove = !isHere(ctx, row)
  const mine = isMine(ctx, row)
  const rights = rightsIn(ctx, fromAbove ? ctx.organization.resourceId : row.org)
  const mayUpdate = can(rights, 'alarms', 'update') && (!isWide(row) || isFree(rights))
  const mayAsOwner = mine && can(rights, 'alarms', 'ack')
  return {
    id: row.id,
    orgResourceId: row.org,
    below: row.below,
    target: {
      type: row.target_type satisfies ShelfTarget,
      id: row.target_id,
      label: row.label,
      deviceId: row.device_id,
    },
    reason: reasonOf(row),
    note: row.note,
    until: row.until.getTime(),
    endOnReturn: row.end_on_return,
    by: row.by_user,
    createdAt: row.created_at.getTime(),
    mine,
    fromAbove,
    mayChange: !fromAbove && (mayAsOwner || mayUpdate),
    mayLift: fromAbove ? mayUpdate : mayAsOwner || mayUpdate,
    held: row.held,
  }
}

type Sides = { before?: ShelfRow; after?: ShelfRow }

/** Audit entry of a shelf. */
async function recordShelf(tx: Tx, ctx: OrgCtx, { before, after }: Sides) {
  const row = after ?? before
  if (!row) return
  const action = before && after ? 'update' : after ? 'create' : 'delete'
  await recordChange(tx, ctx, {
    resource: 'alarms',
    action,
    id: row.id,
    label: row.label || row.target_id,
    organization: isHere(ctx, row) ? row.org : ctx.organization.resourceId,
    ...(before && { before: shelfContent(before) }),
    ...(after && { after: shelfContent(after) }),
  })
}

const shelfContent = ({
  target_type,
  target_id,
  reason,
  note,
  until,
  end_on_return,
}: ShelfRow) => ({
  target: { type: target_type, id: target_id },
  reason,
  note,
  until: until.toISOString(),
  endOnReturn: end_on_return,
})
