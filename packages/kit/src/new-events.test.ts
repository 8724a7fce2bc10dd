import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createBus, publish } from './events.ts'
import { createJobs, insertJob } from './job-store.ts'
import { createNewsCheck } from './new-events.ts'
import { processLocks } from './own-process.ts'
import { testDatabase } from './test-database.ts'

const raised = { topic: 'alarms.raised', payload: z.object({ id: z.int() }) } as const
let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  database = await testDatabase()
  await createBus(database.db)
  await createJobs(database.db)
})
afterAll(() => database.close())

test('each new event is noticed, and then nothing until the next one', async () => {
  const check = createNewsCheck(database.pool)
  expect((await check()).hasEvents).toBe(true)
  expect((await check()).hasEvents).toBe(false)
  for (const id of [1, 2]) {
    await publish(database.db, raised, { id })
    expect((await check()).hasEvents).toBe(true)
    expect((await check()).hasEvents).toBe(false)
  }
})

test('a transaction that has its numbers is waited for, however long it takes to commit', async () => {
  const check = createNewsCheck(database.pool)
  await check()
  expect((await check()).hasEvents).toBe(false)
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query(`insert into bus.event (topic, payload) values ('alarms.raised', '{"id": 3}')`)
  await client.query('set constraints all immediate')
  for (let looks = 0; looks < 5; looks += 1) expect((await check()).hasEvents).toBe(true)
  await client.query('commit')
  client.release()
  expect((await check()).hasEvents).toBe(true)
  expect((await check()).hasEvents).toBe(false)
})

test('a look that fails halfway is made again, though nothing new has come since', async () => {
  let isAway = false
  const pool = {
    query: (asked: { name?: string }) =>
      isAway && asked.name === 'kit-committing-events'
        ? Promise.reject(new Error('the connection was ended'))
        : database.pool.query(asked as never),
  }
  const check = createNewsCheck(pool as never)
  await check()
  expect((await check()).hasEvents).toBe(false)
  await publish(database.db, raised, { id: 4 })
  isAway = true
  await expect(check()).rejects.toThrow('ended')
  isAway = false
  expect((await check()).hasEvents).toBe(true)
  expect((await check()).hasEvents).toBe(false)
})

test('a number that is given while the check looks belongs to a transaction that is waited for', async () => {
  const checks = Array.from({ length: 3 }, () => createNewsCheck(database.pool))
  const seen = checks.map(() => 0)
  const countOf = async () =>
    (await database.pool.query<{ n: number }>('select count(*) as n from bus.event where id > 0'))
      .rows[0]?.n ?? 0
  let isOver = false
  // What a process does: it looks at all events when the check says so.
  const reading = checks.map(async (check, index) => {
    while (!isOver) if ((await check()).hasEvents) seen[index] = await countOf()
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

test('a job that nobody works on, or only an ended process, is noticed', async () => {
  const check = createNewsCheck(database.pool)
  const hasJobs = async () => (await check()).hasJobs
  expect(await hasJobs()).toBe(false)
  const caller = { kind: 'user', sub: 'eva', username: 'eva', realm: 'plant' } as const
  const job = { service: 'any', kind: 'any', label: '', organization: 'plant', subtree: false }
  const id = await insertJob(database.db, { ...job, caller, input: {} })
  expect(await hasJobs()).toBe(true)
  const holder = await database.pool.connect()
  await holder.query('select pg_advisory_lock($1, 17)', [processLocks])
  await holder.query(
    `update bus.job set holder = 17, held_until = now() + interval '1 hour' where id = $1`,
    [id],
  )
  expect(await hasJobs()).toBe(false)
  holder.release(true)
  await expect.poll(hasJobs).toBe(true)
})
