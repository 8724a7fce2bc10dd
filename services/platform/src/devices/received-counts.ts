import { type Kysely, sql } from 'kysely'
import type { Device } from './device.ts'

/** Devices whose counters are written by one statement. */
const atOnce = 1_000
/** From so many devices on, a process writes counters in every fifth round only. */
const manyDevices = 50_000
const roundsOfMany = 5

/** The newest batch of each process, as `migrations/095-received-batch.sql` makes it. */
export type ReceivedDb = { received_batch: { node: number; batch: number; at: Date } }

type Counts = Device['received']
type Batch = { number: number; at: Date; parts: { device: Device; counts: Counts }[] }
type Options = {
  db: Kysely<ReceivedDb>
  /** Number of this process. */
  node: number
  now: () => Date
  devices: { all: () => Iterable<Device>; readonly size: number }
}

/**
 * Writer of what came from each device since it was last written. Counts stay in memory until their batch is
 * written; a batch that failed is sent again as it was, under its number, before any other.
 */
export function createReceivedCounts({ db, node, now, devices }: Options) {
  let last = 0
  let unsure: Batch | undefined
  let rounds = 0
  let busy: Promise<void> = Promise.resolve()

  const write = async (batch: Batch) => {
    unsure = batch
    await writeBatch(db, node, batch)
    unsure = undefined
    for (const { device, counts } of batch.parts) device.received = rest(device.received, counts)
  }
  const writeAll = async () => {
    if (unsure) await write(unsure)
    const heard = [...devices.all()].filter(({ received }) => isSomething(received))
    for (let from = 0; from < heard.length; from += atOnce) {
      const parts = heard
        .slice(from, from + atOnce)
        .map((device) => ({ device, counts: { ...device.received } }))
      await write({ number: (last += 1), at: now(), parts })
    }
  }
  /** Writes all counters now. */
  const save = () => (busy = busy.catch(() => undefined).then(writeAll)) // who waited for it got the error
  return {
    save,
    /** Writes all counters in a round of every minute, or in every fifth of a process with many devices. */
    async round() {
      rounds += 1
      if (devices.size < manyDevices || rounds % roundsOfMany === 0) await save()
    },
  }
}

const isSomething = ({ messages, refused }: Counts) => messages > 0 || refused > 0

const rest = (all: Counts, written: Counts): Counts => ({
  messages: all.messages - written.messages,
  bytes: all.bytes - written.bytes,
  refused: all.refused - written.refused,
})

/** Adds a batch to the counters, unless it is there already. Rows are locked in one order by all writers. */
const writeBatch = (db: Kysely<ReceivedDb>, node: number, { number, at, parts }: Batch) => {
  const each = (name: keyof Counts) => sql`${parts.map(({ counts }) => counts[name])}::bigint[]`
  const ids = sql`${parts.map(({ device }) => device.id)}::text[]`
  return sql`
    with fresh as (
      insert into platform.received_batch as known (node, batch) values (${node}, ${number})
      on conflict (node) do update set batch = excluded.batch, at = excluded.at
        where known.batch < excluded.batch
      returning node
    ), held as materialized (
      select device_id from platform.device_state
      where device_id = any(${ids}) and exists (select from fresh)
      order by device_id for no key update
    )
    update platform.device_state s set
      received_messages = s.received_messages + came.messages,
      received_bytes = s.received_bytes + came.bytes,
      refused_messages = s.refused_messages + came.refused,
      last_message_at = greatest(s.last_message_at, ${at}::timestamptz)
    from held join unnest(${ids}, ${each('messages')}, ${each('bytes')}, ${each('refused')})
      as came (device_id, messages, bytes, refused) on came.device_id = held.device_id
    where s.device_id = held.device_id`.execute(db)
}

/** Deletes batches of processes that wrote none for a week: they have ended long ago. */
export const deleteOldBatches = (db: Kysely<ReceivedDb>) =>
  db
    .deleteFrom('received_batch')
    .where('at', '<', sql<Date>`now() - interval '7 days'`)
    .execute()
