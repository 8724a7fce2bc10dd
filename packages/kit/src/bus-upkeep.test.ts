import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { cleanupSeenEvents } from './bus-upkeep.ts'
import { createBus, deliver, on, publishAll } from './events.ts'
import { testDatabase } from './test-database.ts'

const raised = { topic: 'alarms.raised', payload: z.object({ id: z.int() }) } as const
const heard = on(raised, async () => undefined)
let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  database = await testDatabase()
  await createBus(database.db)
})
beforeEach(() => sql`truncate bus.event, bus.cursor`.execute(database.db))
afterAll(() => database.close())

const raise = (count: number) =>
  database.db.transaction().execute((tx) =>
    publishAll(
      tx,
      raised,
      Array.from({ length: count }, (_, id) => ({ id })),
    ),
  )
const age = () => sql`update bus.event set at = at - interval '25 hours'`.execute(database.db)
const left = async () =>
  (await sql<{ count: number }>`select count(*) from bus.event`.execute(database.db)).rows[0]!.count

test('events that every consumer saw go after a day', async () => {
  await raise(25_000)
  await deliver(database.db, 'alarms', [heard])
  await age()
  await raise(3)
  await deliver(database.db, 'alarms', [heard])
  expect(await cleanupSeenEvents(database.db)).toBe(25_000)
  expect(await left()).toBe(3)
})

test('an event waits for the slowest consumer', async () => {
  await raise(2)
  await deliver(database.db, 'fast', [heard])
  await deliver(database.db, 'slow', [heard])
  await raise(3)
  await deliver(database.db, 'fast', [heard])
  await age()
  expect(await cleanupSeenEvents(database.db)).toBe(2)
  expect(await left()).toBe(3)
  await deliver(database.db, 'slow', [heard])
  expect(await cleanupSeenEvents(database.db)).toBe(3)
})

test('an event that nobody consumes goes after a day', async () => {
  await raise(1)
  expect(await cleanupSeenEvents(database.db)).toBe(0)
  await age()
  expect(await cleanupSeenEvents(database.db)).toBe(1)
})

test('a consumer goes on where it was after old events went', async () => {
  await raise(2)
  await deliver(database.db, 'alarms', [heard])
  await age()
  await cleanupSeenEvents(database.db)
  const seen: number[] = []
  await raise(1)
  await deliver(database.db, 'alarms', [on(raised, async ({ id }) => void seen.push(id))])
  expect(seen).toEqual([0])
})
