import type { OrgCtx } from '@longreach/kit/service'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { AlarmsDeps } from '../deps.ts'
import {
  type AlarmRow,
  countAlarms,
  countedExactly,
  estimateAlarms,
  selectAlarms,
} from './alarm-select.ts'
import type { searchContract } from './contract.ts'
import { filterConditions, listedOpen } from './list-filter.ts'
import { cursorOf, placeOf } from './page-cursor.ts'
import { toAlarms } from './search-handlers.ts'
import { occurrences, type Visible, visibleTo } from './visible.ts'
import { timeOf } from './held-time.ts'

type Body = z.output<typeof searchContract.endpoints.listAlarms.body>

/** Own list of alarms: pages by key, and counts of everything that the filter finds. */
export const listAlarms =
  (deps: AlarmsDeps) =>
  async ({ body }: { body: Body }, ctx: OrgCtx) => {
    const visible = await visibleTo(deps.db, ctx)
    const matching = matchingSql(visible, await filterConditions(deps.db, visible, body), body)
    const { kind, next, pageSize } = body
    const listed = body.asOf === undefined ? ofKind[kind] : sql<boolean>`true`
    const shown = sql<boolean>`${matching} and ${listed}`
    const { order, after, placeOfRow } = orders[kind]
    const from = next === undefined ? sql<boolean>`true` : after(next)
    const where = sql<boolean>`${shown} and ${from}`
    const found = await selectAlarms(deps.db, { where, order, limit: pageSize + 1 })
    const rows = found.slice(0, pageSize)
    const end = rows.at(-1)
    return {
      data: await toAlarms(deps, ctx, rows),
      next: found.length > pageSize && end ? cursorOf(placeOfRow(end)) : null,
      at: ctx.now.getTime(),
      counts: await countsOf(deps, matching, listed),
    }
  }

/** Rows that are listed. */
const ofKind: Record<Body['kind'], RawBuilder<boolean>> = {
  open: listedOpen,
  history: sql<boolean>`true`,
  shelved: sql<boolean>`o.open and o.shelf_id is not null`,
}

type Ordered = {
  order: RawBuilder<unknown>
  after: (next: string) => RawBuilder<boolean>
  placeOfRow: (row: AlarmRow) => (string | number)[]
}

/** Severest first, of these the newest. */
const severest: Ordered = {
  order: sql`o.level desc, o.start_t desc, o.id`,
  after(next) {
    const place = z.tuple([z.literal('open'), z.int().min(0).max(6), z.iso.datetime(), z.string()])
    const [, level, start, id] = placeOf(place, next)
    return sql<boolean>`(o.level < ${level} or (o.level = ${level} and (o.start_t < ${start}::timestamptz
      or (o.start_t = ${start}::timestamptz and o.id > ${id}))))`
  },
  placeOfRow: ({ level, start_t, id }) => ['open', level, start_t.toISOString(), id],
}

const newest: Ordered = {
  order: sql`o.updated_t desc, o.id`,
  after(next) {
    const place = z.tuple([z.literal('history'), z.iso.datetime(), z.string()])
    const [, updated, id] = placeOf(place, next)
    // The first condition is the one that an index begins with.
    return sql<boolean>`(o.updated_t <= ${updated}::timestamptz
      and (o.updated_t < ${updated}::timestamptz or o.id > ${id}))`
  },
  placeOfRow: ({ updated_t, id }) => ['history', updated_t.toISOString(), id],
}

const orders: Record<Body['kind'], Ordered> = { open: severest, history: newest, shelved: severest }

function matchingSql(
  visible: Visible,
  filters: readonly RawBuilder<boolean>[],
  body: Body,
): RawBuilder<boolean> {
  const { shelfId, asOf, kind } = body
  const conditions = [
    visible.rows,
    ...filters,
    shelfId === undefined ? undefined : sql<boolean>`o.shelf_id = ${shelfId}`,
    ...withinSql(body),
    asOf === undefined ? undefined : openAt(asOf),
    // The index of open ones serves the lists of open ones and their counts.
    kind === 'history' || asOf !== undefined ? undefined : sql<boolean>`o.open`,
  ].filter((one) => one !== undefined)
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** Conditions of alarms that stood within a time; the last one is what the index of standing alarms knows. */
const withinSql = ({ from, to }: Body) => [
  from === undefined
    ? undefined
    : sql<boolean>`(o.closed_t is null or o.closed_t >= ${timeOf(from)})`,
  to === undefined ? undefined : sql<boolean>`o.start_t <= ${timeOf(to)}`,
  from === undefined || to === undefined || from > to ? undefined : stood(from, to),
]

const stood = (from: number, to: number) =>
  sql<boolean>`alarms.standing(o.start_t, o.closed_t) && tstzrange(${timeOf(from)}, ${timeOf(to)}, '[]')`

/** Alarms that were there at a time, as it is known now. */
const openAt = (at: number) =>
  sql<boolean>`(${stood(at, at)} and not o.withdrawn and o.start_t <= ${timeOf(at)}
    and (o.closed_t is null or o.closed_t > ${timeOf(at)}))`

/** Counts of what a filter finds, of 10,000 alarms at most. */
async function countsOf(
  { db }: Pick<AlarmsDeps, 'db'>,
  matching: RawBuilder<boolean>,
  listed: RawBuilder<boolean>,
) {
  const levels = Array.from({ length: 7 }, (_, level) => {
    return sql`(count(*) filter (where listed and level = ${sql.lit(level)}))::int`
  })
  const { rows } = await sql<CountRow>`
    select (count(*) filter (where listed))::int as total, array[${sql.join(levels)}] as by_severity,
      (count(*) filter (where listed and open and ack_required))::int as unacknowledged,
      (count(*) filter (where open and shelf_id is not null))::int as shelved,
      (count(*) filter (where open and suppressed))::int as suppressed, count(*)::int as seen
    from (select o.level, o.open, o.ack_required, o.shelf_id, o.suppressed, (${listed}) as listed
      from ${occurrences} where ${matching} limit ${sql.lit(countedExactly + 1)}) as found`.execute(
    db,
  )
  const {
    total = 0,
    by_severity = [],
    unacknowledged = 0,
    shelved = 0,
    suppressed = 0,
    seen = 0,
  } = rows[0] ?? {}
  const isExact = seen <= countedExactly
  const whole = () => {
    const where = sql<boolean>`${matching} and ${listed}`
    return total > countedExactly ? estimateAlarms(db, where, total) : countAlarms(db, where)
  }
  return {
    total: isExact ? total : await whole(),
    isExact,
    bySeverity: by_severity,
    unacknowledged,
    shelved,
    suppressed,
  }
}

type CountRow = {
  total: number
  by_severity: number[]
  unacknowledged: number
  shelved: number
  suppressed: number
  seen: number
}
