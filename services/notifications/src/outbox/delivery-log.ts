import { reachOf } from '@longreach/authorization/reach'
import { failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { notificationsContract } from '../contract.ts'
import type { NotificationsDb } from '../database.ts'
import type { outboxContract } from './contract.ts'
import { deliveriesOf, deliveryColumns, type ListedRow, seesAbout } from './delivery-list.ts'
import { toDelivery } from './delivery-wire.ts'

type Query = z.output<typeof outboxContract.endpoints.deliveryLog.query>

/** Deliveries by time, newest first; those found by an alarm that the caller may not see are left out. */
export async function deliveryLog(db: Kysely<NotificationsDb>, query: Query, ctx: OrgCtx) {
  const { limit, text, device } = query
  const rows = await deliveriesOf(db, reachOf(ctx))
    .selectAll('d')
    .select(deliveryColumns)
    .where(sql<boolean>`${sql.join(conditionsOf(query), sql` and `)}`)
    .orderBy('d.created_at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  const end = page.at(-1)
  const isFound = (row: ListedRow) =>
    seesAbout(ctx, row) || (device === undefined && (text === undefined || isInOpenText(row, text)))
  return {
    data: page.filter(isFound).map((row) => toDelivery(row, seesAbout(ctx, row))),
    next: rows.length > limit && end ? `${end.created_at.getTime()}:${end.id}` : null,
  }
}

function conditionsOf({ from, to, failed, text, person, device, next }: Query) {
  const conditions: RawBuilder<boolean>[] = [sql<boolean>`true`]
  if (from !== undefined) conditions.push(sql<boolean>`d.created_at >= ${new Date(from)}`)
  if (to !== undefined) conditions.push(sql<boolean>`d.created_at < ${new Date(to)}`)
  if (failed) conditions.push(sql<boolean>`d.state = 'FAILED'`)
  if (text !== undefined)
    conditions.push(contains(sql`concat_ws(' ', ${openTexts}, m.about)`, text))
  if (person !== undefined) conditions.push(contains(sql`d.recipient_name`, person))
  if (device !== undefined) conditions.push(contains(sql`m.about`, device))
  if (next !== undefined) {
    const [at, id] = placeIn(next)
    conditions.push(sql<boolean>`(d.created_at, d.id) < (${at}, ${id}::uuid)`)
  }
  return conditions
}

const openTexts = sql`d.recipient_name, d.channel, d.answer, n.name`
const contains = (column: RawBuilder<unknown>, part: string) =>
  sql<boolean>`position(lower(${part}) in lower(${column})) > 0`

/** True when a text is in what everybody sees of a delivery. */
const isInOpenText = (row: ListedRow, text: string) =>
  [row.recipient_name, row.channel, row.answer, row.rule_name ?? '']
    .join(' ')
    .toLowerCase()
    .includes(text.toLowerCase())

function placeIn(next: string): [Date, string] {
  const [, at, id] = /^(\d{1,15}):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(next) ?? []
  if (at !== undefined && id !== undefined) return [new Date(Number(at)), id]
  throw failure(notificationsContract, 'bad_cursor', {
    message: 'next is the `next` of an answer; begin without it',
    field: 'next',
  })
}
