import { holdLock } from '@longreach/kit/locks'
import { type Kysely, type Selectable, sql } from 'kysely'

type MomentTable = {
  id: string
  device_id: string
  org: string
  at: Date
  until: Date | null
  kind: string
  path: string | null
  by_name: string | null
  by_sub: string | null
  data: unknown
  made_at: Date
  edited_at: Date | null
}
export type MomentDb = { moment: MomentTable }
export type MomentRow = Selectable<MomentTable>

type Db = Kysely<MomentDb>
/** The device as it is known: where it is now, whatever its rows say. */
type Owned = { id: string; org: string }

type NewMoment = Pick<MomentRow, 'device_id' | 'org' | 'at' | 'kind' | 'made_at'> &
  Partial<Pick<MomentRow, 'until' | 'path' | 'by_name' | 'by_sub'>> & { data: object }

let made = 0
/** Ids grow in the order in which they are made: moments of one and the same ms stay in theirs. */
export function newMomentId() {
  made = (made + 1) % 0x1000
  const [hex, count] = [
    Date.now().toString(16).padStart(12, '0'),
    made.toString(16).padStart(3, '0'),
  ]
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${count}-${crypto.randomUUID().slice(19)}`
}

/** Rows of one statement: a statement takes 65535 parameters. */
const atOnce = 1_000

export async function insertMoments(tx: Db, moments: readonly NewMoment[]) {
  for (let from = 0; from < moments.length; from += atOnce) {
    const rows = moments.slice(from, from + atOnce).map((moment) => ({
      until: null,
      path: null,
      by_name: null,
      by_sub: null,
      edited_at: null,
      ...moment,
      id: newMomentId(),
      data: JSON.stringify(moment.data),
    }))
    await tx.insertInto('moment').values(rows).execute()
  }
}

const momentsOfDevice = (db: Db, { id, org }: Owned) =>
  db.selectFrom('moment').selectAll().where('device_id', '=', id).where('org', '=', org)

type TimeLineQuestion = {
  since: Date | undefined
  to: Date | undefined
  kinds: readonly string[] | undefined
  before: { at: Date; id: string } | undefined
  now: Date
  limit: number
}

/** Entries that no person wrote go after three years. */
export const momentsKeptMs = 3 * 365 * 86_400_000

/** Newest first. What is too old is not shown, though it is stored until its month is dropped. */
export function timeLineOf(db: Db, device: Owned, asked: TimeLineQuestion) {
  const { since, to, kinds, before, now } = asked
  const kept = new Date(now.getTime() - momentsKeptMs)
  let query = momentsOfDevice(db, device).where(({ or, eb }) =>
    or([eb('kind', '=', 'comment'), eb('made_at', '>=', kept)]),
  )
  if (since) query = query.where('at', '>=', since)
  if (to) query = query.where('at', '<', to)
  if (kinds) query = query.where('kind', 'in', [...kinds])
  if (before)
    query = query
      .where(sql<boolean>`(at, id) < (${before.at}, ${before.id}::uuid)`)
      // The same for the months.
      .where('at', '<=', before.at)
  return query.orderBy('at', 'desc').orderBy('id', 'desc').limit(asked.limit).execute()
}

type Range = { since: Date | undefined; to: Date | undefined; limit: number }

/** The newest `limit` comments that touch the range, oldest first. */
export async function commentsOf(db: Db, devices: readonly Owned[], asked: Range) {
  const { since, to, limit } = asked
  let query = db
    .selectFrom('moment')
    .selectAll()
    .where('kind', '=', 'comment')
    .where(({ or, and }) => or(devices.map(({ id, org }) => and({ device_id: id, org: org }))))
  if (since) query = query.where(sql<boolean>`coalesce(until, at) >= ${since}`)
  if (to) query = query.where('at', '<', to)
  const rows = await query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute()
  return rows.toReversed()
}

/** A comment of the device, held until the transaction ends. */
export async function lockComment(tx: Db, device: Owned, id: string) {
  // A row that moves into another month cannot be waited for.
  await holdLock(tx, 'platform.comment', id)
  return momentsOfDevice(tx, device)
    .where('id', '=', id)
    .where('kind', '=', 'comment')
    .forUpdate()
    .executeTakeFirst()
}

export const insertComment = (tx: Db, row: Omit<MomentRow, 'data'> & { data: object }) =>
  tx
    .insertInto('moment')
    .values({ ...row, data: JSON.stringify(row.data) })
    .execute()

export const updateComment = (
  tx: Db,
  id: string,
  change: { at: Date; until: Date | null; path: string | null; text: string; editedAt: Date },
) =>
  tx
    .updateTable('moment')
    .set({
      at: change.at,
      until: change.until,
      path: change.path,
      edited_at: change.editedAt,
      data: JSON.stringify({ text: change.text }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteComment = (tx: Db, id: string) =>
  tx.deleteFrom('moment').where('id', '=', id).execute()

/** The device is in another organization now, with everything that ever happened to it. */
export const moveMoments = (tx: Db, deviceId: string, org: string) =>
  tx.updateTable('moment').set({ org }).where('device_id', '=', deviceId).execute()

export const deleteMoments = (tx: Db, deviceId: string) =>
  tx.deleteFrom('moment').where('device_id', '=', deviceId).execute()
