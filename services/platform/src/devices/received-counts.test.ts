import { migrated } from '@longreach/kit/database'
import { createBus } from '@longreach/kit/events'
import { createProcesses } from '@longreach/kit/own-process'
import { testDatabase, type TestDatabase } from '@longreach/kit/test-database'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ServiceDb } from '../database.ts'
import { newDeviceId } from '../platform-testing.ts'
import type { Device } from './device.ts'
import { findState } from './device-state-store.ts'
import { createReceivedCounts } from './received-counts.ts'

let database: TestDatabase
let db: Kysely<ServiceDb>
/** Statements that change counters, as the database got them. */
let statements: string[]
let clock = Date.parse('2026-01-05T12:00:00Z')
const now = () => new Date(clock)

beforeEach(async () => {
  database = await testDatabase()
  await createBus(database.db)
  await createProcesses(database.db)
  await migrated(database.db, 'platform', new URL('../migrations/', import.meta.url))
  statements = []
  db = new Kysely<ServiceDb>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: ({ query }) => void statements.push(query.sql),
  }).withSchema('platform')
})
afterEach(() => database.close())

async function createDevices(count: number) {
  const devices = Array.from({ length: count }, () => {
    const received = { messages: 0, bytes: 0, refused: 0 }
    // Only what is counted; the rest of a device is no matter here.
    return { id: newDeviceId(), received } as Device
  })
  await sql`insert into platform.device_state (device_id, org)
    select id, 'exor' from unnest(${devices.map(({ id }) => id)}::text[]) id`.execute(database.db)
  return devices
}
const countsOf = (devices: Device[], node = 1, size = devices.length) =>
  createReceivedCounts({ db, node, now, devices: { all: () => devices, size } })
const hear = ({ received }: Device, messages: number) => {
  received.messages += messages
  received.bytes += 10 * messages
  received.refused += 1
}
const stored = async ({ id }: Device) => {
  const state = await findState(db, id)
  return [state?.received_messages, state?.received_bytes, state?.refused_messages]
}
const total = async () => {
  const { rows } = await sql<{ messages: number; refused: number }>`
    select sum(received_messages)::int as messages, sum(refused_messages)::int as refused
    from platform.device_state`.execute(database.db)
  return rows[0]
}

test('the counters of 1,000 devices are one statement, of 2,500 three; without news there is none', async () => {
  const devices = await createDevices(2_500)
  const counts = countsOf(devices)
  for (const device of devices.slice(0, 1_000)) hear(device, 3)
  await counts.save()
  expect(statements).toHaveLength(1)
  expect(await total()).toEqual({ messages: 3_000, refused: 1_000 })
  statements = []
  await counts.save()
  expect(statements).toEqual([])
  for (const device of devices) hear(device, 2)
  await counts.save()
  expect(statements).toHaveLength(3)
  expect(await total()).toEqual({ messages: 8_000, refused: 3_500 })
  const state = await findState(db, devices[7]!.id)
  expect(state?.last_message_at).toEqual(now())
})

test('what comes while a batch is written is in the next one', async () => {
  const devices = await createDevices(1)
  const [device] = devices
  const counts = countsOf(devices)
  hear(device!, 5)
  const saved = counts.save()
  await Promise.resolve()
  hear(device!, 4)
  await saved
  await counts.save()
  expect(await stored(device!)).toEqual([9, 90, 2])
  expect(device!.received).toEqual({ messages: 0, bytes: 0, refused: 0 })
})

test('a statement that fails loses nothing, and one whose answer is lost is counted once', async () => {
  const devices = await createDevices(3)
  const counts = countsOf(devices)
  for (const device of devices) hear(device, 7)
  await sql`alter table platform.received_batch rename to away`.execute(database.db)
  await expect(counts.save()).rejects.toMatchObject({ code: '42P01' })
  expect(devices.map(({ received }) => received.messages)).toEqual([7, 7, 7])
  await sql`alter table platform.away rename to received_batch`.execute(database.db)
  hear(devices[0]!, 1)
  await counts.save()
  expect(await total()).toEqual({ messages: 22, refused: 4 })

  // The transaction commits, and the connection breaks before the answer comes.
  const lossy = createReceivedCounts({
    db: new Kysely<ServiceDb>({
      dialect: new PostgresDialect({ pool: answerlessPool() }),
    }).withSchema('platform'),
    node: 1,
    now,
    devices: { all: () => devices, size: 3 },
  })
  await sql`delete from platform.received_batch`.execute(database.db)
  for (const device of devices) hear(device, 2)
  await expect(lossy.save()).rejects.toThrow('the answer is lost')
  expect(await total()).toEqual({ messages: 28, refused: 7 })
  hear(devices[2]!, 5)
  await lossy.save()
  expect(await total()).toEqual({ messages: 33, refused: 8 })
  expect(devices.map(({ received }) => received.messages)).toEqual([0, 0, 0])
})

/** Pool whose first statement is executed, but its answer does not come back. */
function answerlessPool() {
  let isLost = false
  return {
    async connect() {
      const client = await database.pool.connect()
      return {
        query: async (text: string, values: unknown[]) => {
          const answer = await client.query(text, values)
          if (isLost) return answer
          isLost = true
          throw new Error('the answer is lost')
        },
        release: () => client.release(),
      }
    },
    end: async () => undefined,
    options: {},
  } as never // what Kysely uses of a pool
}

test('processes that count the same devices at once wait for each other, and none fails', async () => {
  const devices = await createDevices(500)
  const others = devices.toReversed().map(({ id }) => {
    return { id, received: { messages: 0, bytes: 0, refused: 0 } } as Device // as above
  })
  const [one, two] = [countsOf(devices, 1), countsOf(others, 2)]
  for (let round = 0; round < 10; round += 1) {
    for (const device of [...devices, ...others]) hear(device, 1)
    await Promise.all([one.save(), two.save()])
  }
  expect(await total()).toEqual({ messages: 10_000, refused: 10_000 })
})

test('a process with 50,000 devices writes in every fifth round, others in each', async () => {
  const devices = await createDevices(1)
  const [few, many] = [countsOf(devices, 1, 49_999), countsOf(devices, 2, 50_000)]
  for (let minute = 0; minute < 10; minute += 1) {
    hear(devices[0]!, 1)
    await few.round()
  }
  expect(statements).toHaveLength(10)
  statements = []
  for (let minute = 0; minute < 10; minute += 1) {
    hear(devices[0]!, 1)
    await many.round()
  }
  expect(statements).toHaveLength(2)
  expect((await total())?.messages).toBe(20)
})
