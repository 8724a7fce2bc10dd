import type { OrgCtx } from '@longreach/kit/service'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { AlarmsDeps } from '../deps.ts'
import { expressionSql } from './alarm-fields.ts'
import { cursorOf, placeOf } from './page-cursor.ts'
import { withBelow } from './scoped-context.ts'
import { devicesOfCall, isLimitedToPaths, occurrences, visibleTo } from './visible.ts'

type Deps = Pick<AlarmsDeps, 'db'>
type SeverityCount = { severity: number; count: number }

/** Open alarms that are counted: those that are shelved or suppressed are not. */
const counted = sql<boolean>`(o.open and not o.suppressed and o.shelf_id is null)`

/** Numbers of open alarms by severity, from the counts of devices where these are enough. */
export const severityCount =
  (deps: Deps) =>
  async (
    { query: { below } }: { query: { below?: boolean | undefined } },
    asking: OrgCtx,
  ): Promise<SeverityCount[]> => {
    const ctx = withBelow(asking, below)
    const rows = isLimitedToPaths(ctx) ? await countRows(deps, ctx) : await sumCounts(deps, ctx)
    return rows.filter(({ count }) => count > 0)
  }

async function sumCounts({ db }: Deps, ctx: OrgCtx) {
  const { rows } = await sql<SeverityCount>`
    select (each.place - 1)::int as severity, sum(each.n)::int as count
    from alarms.device_count o join alarms.device d on d.device_id = o.device_id,
      unnest(o.n) with ordinality as each(n, place)
    where o.max >= 0 and ${devicesOfCall(ctx)} group by each.place order by each.place`.execute(db)
  return rows
}

async function countRows({ db }: Deps, ctx: OrgCtx) {
  const visible = await visibleTo(db, ctx)
  const { rows } = await sql<SeverityCount>`
    select o.level::int as severity, count(*)::int as count from ${occurrences}
    where ${counted} and ${visible.rows} group by o.level order by o.level`.execute(db)
  return rows
}

type AskedByDevice = {
  query: {
    filter?: string | undefined
    limited?: boolean | undefined
    pageSize: number
    next?: string | undefined
  }
}
type DeviceRow = { device_id: string; n: number[] }

/** Numbers of open alarms by severity of each device that has some, page by page. */
export const severityCountByDevice =
  (deps: Deps) =>
  async (
    { query: { filter = '', limited = false, pageSize, next } }: AskedByDevice,
    ctx: OrgCtx,
  ) => {
    const [after] = next === undefined ? [''] : placeOf(z.tuple([z.string()]), next)
    const limit = pageSize + 1
    const isPlain = filter.trim() === '' && !limited && !isLimitedToPaths(ctx)
    const rows = isPlain
      ? await countsOfDevices(deps, ctx, { after, limit })
      : await countsOfRows(deps, ctx, { after, limit, filter, limited })
    const shown = rows.slice(0, pageSize)
    const end = shown.at(-1)
    const last = rows.length <= pageSize
    return {
      data: shown.map(({ device_id, n }) => ({ [device_id]: toCounts(n) })),
      last,
      next: last || !end ? null : cursorOf([end.device_id]),
    }
  }

const toCounts = (n: readonly number[]): SeverityCount[] =>
  n.flatMap((count, severity) => (count > 0 ? [{ severity, count }] : []))

type Window = { after: string; limit: number }

async function countsOfDevices({ db }: Deps, ctx: OrgCtx, { after, limit }: Window) {
  const { rows } = await sql<DeviceRow>`
    select o.device_id, o.n from alarms.device_count o
    join alarms.device d on d.device_id = o.device_id
    where o.max >= 0 and o.device_id collate "C" > ${after} and ${devicesOfCall(ctx)}
    order by o.device_id collate "C" limit ${sql.lit(limit)}`.execute(db)
  return rows
}

async function countsOfRows(
  { db }: Deps,
  ctx: OrgCtx,
  { after, limit, filter, limited }: Window & { filter: string; limited: boolean },
) {
  const visible = await visibleTo(db, ctx)
  if (limited && !visible.allValues) return []
  const devices = limited && visible.allValues ? sql`not (${visible.allValues})` : sql`true`
  const matching: RawBuilder<boolean> =
    filter.trim() === '' ? sql<boolean>`true` : expressionSql(visible, filter, 'filter')
  const numbers = Array.from({ length: 7 }, (_, level) => {
    return sql`count(*) filter (where o.level = ${sql.lit(level)})::int`
  })
  const { rows } = await sql<DeviceRow>`
    select o.device_id, array[${sql.join(numbers)}] as n from ${occurrences}
    where ${counted} and ${visible.rows} and ${matching} and ${devices} and o.device_id collate "C" > ${after}
    group by o.device_id order by o.device_id collate "C" limit ${sql.lit(limit)}`.execute(db)
  return rows
}
