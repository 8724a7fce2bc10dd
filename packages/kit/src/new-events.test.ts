import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createBus, publish } from './events.ts'
import { createNewEventsCheck } from './new-events.ts'
import { testDatabase } from './test-database.ts'

const raised = { topic: 'alarms.raised', payload: z.object({ id: z.int() }) } as const
let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  database = await testDatabase()
  await createBus(database.db)
})
afterAll(() => database.close())

test('each new event is noticed, and then nothing until the next one', async () => {
  const check = createNewEventsCheck(database.pool)
  expect(await check()).toBe(true)
  expect(await check()).toBe(false)
  for (const id of [1, 2]) {
    await publish(database.db, raised, { id })
    expect(await check()).toBe(true)
    expect(await check()).toBe(false)
  }
})

test('a transaction that has its numbers is waited for, however long it takes to commit', async () => {
  const check = createNewEventsCheck(database.pool)
  await check()
  expect(await check()).toBe(false)
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query(`insert into bus.event (topic, payload) values ('alarms.raised', '{"id": 3}')`)
  await client.query('set constraints all immediate')
  for (let looks = 0; looks < 5; looks += 1) expect(await check()).toBe(true)
  await client.query('commit')
  client.release()
  expect(await check()).toBe(true)
  expect(await check()).toBe(false)
})

test('a number that is given while the check looks belongs to a transaction that is waited for', async () => {
  const checks = Array.from({ length: 3 }, () => createNewEventsCheck(database.pool))
  const seen = checks.map(() => 0)
  const countOf = async () =>
    (await database.pool.query<{ n: number }>('select count(*) as n from bus.event where id > 0'))
      .rows[0]?.n ?? 0
  let isOver = false
  // What a process does: it looks at all events when the check says so.
  const reading = checks.map(async (check, index) => {
    while (!isOver) if (await check()) seen[index] = await countOf()
  })
  const ids = Array.from({ length: 100 }, (_, id) => id).values()
  const writer = async () => {
    for (const id of ids) await publish(database.db, raised, { id })
  }
  await Promise.all([writer(), writer(), writer()])
  const all = await countOf()
  try {
    await expect.poll(() => seen).toEqual(checks.map(() => all))
  } finally {
    isOver = true
    await Promise.all(reading)
  }
})
