import type { OrgCtx } from '@longreach/kit/service'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { AlarmsDeps } from '../deps.ts'
import { cursorOf, placeOf } from '../search/page-cursor.ts'
import { occurrences, visibleTo } from '../search/visible.ts'
import type { actionLogContract } from './contract.ts'

type Query = z.output<typeof actionLogContract.endpoints.actionLog.query>

type Row = {
  alarm: string
  n: number
  t: Date
  kind: string
  by_user: string
  comment: string | null
  name: string
  severity: number
  device_id: string
  label: string
  org: string
}

/** Actions of people on the alarms that the caller may see, newest first. */
export const actionLog =
  ({ db }: Pick<AlarmsDeps, 'db'>) =>
  async ({ query }: { query: Query }, ctx: OrgCtx) => {
    const visible = await visibleTo(db, ctx)
    const conditions = [visible.rows, sql<boolean>`c.by_user is not null`, ...conditionsOf(query)]
    const { rows } = await sql<Row>`
      select o.id as alarm, c.n, c.t, c.kind, c.by_user, c.comment, o.name, o.severity, o.device_id, d.label, o.org
      from alarms.change c join ${occurrences} on o.id = c.occurrence
      where ${sql.join(conditions, sql` and `)}
      order by c.t desc, c.occurrence desc, c.n desc limit ${sql.lit(query.limit + 1)}`.execute(db)
    const page = rows.slice(0, query.limit)
    const end = page.at(-1)
    return {
      data: page.map(({ t, by_user, device_id, label, org, ...row }) => ({
        ...row,
        at: t.getTime(),
        by: by_user,
        deviceId: device_id,
        device: label,
        orgResourceId: org,
      })),
      next: rows.length > query.limit && end ? cursorOf([end.t.getTime(), end.alarm, end.n]) : null,
    }
  }

const place = z.tuple([z.int().min(-8e15).max(8e15), z.string(), z.int()])

function conditionsOf({ from, to, text, person, device, next }: Query): RawBuilder<boolean>[] {
  const conditions: RawBuilder<boolean>[] = []
  if (from !== undefined) conditions.push(sql<boolean>`c.t >= ${new Date(from)}`)
  if (to !== undefined) conditions.push(sql<boolean>`c.t < ${new Date(to)}`)
  if (text !== undefined)
    conditions.push(contains(sql`concat_ws(' ', o.name, d.label, c.comment, c.by_user)`, text))
  if (person !== undefined) conditions.push(contains(sql`c.by_user`, person))
  if (device !== undefined) conditions.push(contains(sql`d.label`, device))
  if (next !== undefined) {
    const [at, alarm, n] = placeOf(place, next)
    conditions.push(sql<boolean>`(c.t, c.occurrence, c.n) < (${new Date(at)}, ${alarm}, ${n}::int)`)
  }
  return conditions
}

const contains = (column: RawBuilder<unknown>, part: string) =>
  sql<boolean>`position(lower(${part}) in lower(${column})) > 0`
