import { type Kysely, sql } from 'kysely'
import type { DeliveryRow, NotificationsDb } from '../database.ts'
import type { End } from './delivery-store.ts'

type Ended = { delivery: DeliveryRow; end: End; at: Date }
type Waiting = Ended & { written: (isOwn: boolean) => void; failed: (error: unknown) => void }

/** Results of one statement. */
const mostAtOnce = 500

/**
 * Writer of results of attempts: those that come while a statement is under way go into the next one together.
 * It answers false where another process has taken the delivery over.
 */
export function createEndWriter(db: Kysely<NotificationsDb>) {
  let waiting: Waiting[] = []
  let isWriting = false

  const write = async () => {
    isWriting = true
    while (waiting.length > 0) {
      const some = waiting.slice(0, mostAtOnce)
      waiting = waiting.slice(mostAtOnce)
      try {
        const own = await writeEnds(db, some)
        for (const one of some) one.written(own.has(one.delivery.id))
      } catch (error) {
        for (const one of some) one.failed(error)
      }
    }
    isWriting = false
  }
  return (delivery: DeliveryRow, end: End, at: Date) => {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    waiting.push({ delivery, end, at, written: resolve, failed: reject })
    if (!isWriting) void write()
    return promise
  }
}

/** Write results in one statement; ids of the deliveries that are still those of this process. */
async function writeEnds(db: Kysely<NotificationsDb>, ended: readonly Ended[]) {
  const column = <T>(of: (one: DeliveryRow & End) => T) =>
    ended.map(({ delivery, end }) => of({ ...delivery, ...end }))
  const { rows } = await sql<{ id: string }>`
    update notifications.delivery d
    set state = e.state, gate = e.gate, answer = e.answer, ms = e.ms, next_at = e.next_at,
      repeated = e.repeated, lease_until = null, updated_at = e.at
    from unnest(${column(({ id }) => id)}::uuid[], ${column(({ attempt }) => attempt)}::int[],
      ${column(({ state }) => state)}::text[], ${column(({ gate }) => gate)}::text[],
      ${column(({ answer }) => answer)}::text[], ${column(({ ms }) => ms)}::int[],
      ${column((one) => one.next_at)}::timestamptz[], ${column(({ repeated }) => repeated)}::bool[],
      ${ended.map(({ at }) => at)}::timestamptz[])
      as e(id, attempt, state, gate, answer, ms, next_at, repeated, at)
    where d.id = e.id and d.attempt = e.attempt and d.state = 'SENDING'
    returning d.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
