import fastify from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { busChannel } from './announcements.ts'
import { startEventLoops } from './event-loops.ts'
import { createBus, deliver, on, publish } from './events.ts'
import { jobLoop } from './job-runner.ts'
import { createJobs, insertJob, jobWaiting } from './job-store.ts'
import { createNewsCheck } from './new-events.ts'
import { testDatabase } from './test-database.ts'

const raised = { topic: 'alarms.raised', payload: z.object({ id: z.int() }) } as const
let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  database = await testDatabase()
  await createBus(database.db)
  await createJobs(database.db)
})
afterAll(() => database.close())

const { log } = fastify() // writes nothing

/** Waits until the check of each second finds no new event any more. */
async function quiet() {
  const check = createNewsCheck(database.pool)
  await expect
    .poll(async () => (await check()).hasEvents, { interval: 1_100, timeout: 30_000 })
    .toBe(false)
}
const raise = (id: number) => database.db.transaction().execute((tx) => publish(tx, raised, { id }))

test('a service that is slow, and one that fails, hold up no other', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const seen: number[] = []
  let failures = 0
  const consumers = [on(raised, async ({ id }) => void seen.push(id))]
  const running = startEventLoops({ pool: database.pool, log }, [
    { name: 'slow', work: () => released },
    {
      name: 'failing',
      work: async () => {
        failures += 1
        throw new Error('smtp')
      },
    },
    { name: 'quick', work: () => deliver(database.db, 'quick', consumers) },
  ])
  await raise(1)
  await expect.poll(() => seen).toEqual([1])
  await raise(2)
  await expect.poll(() => seen).toEqual([1, 2])
  await expect.poll(() => failures).toBeGreaterThan(1)
  release()
  await running.close()
})

test('every topic is told, and after an interruption that some may have been missed', async () => {
  const told: string[] = []
  const running = startEventLoops(
    { pool: database.pool, log, onEvent: (topic) => told.push(topic) },
    [],
  )
  await expect.poll(() => told).toEqual(['*'])
  await raise(3)
  await expect.poll(() => told).toEqual(['*', 'alarms.raised'])
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query ilike 'listen %'`,
  )
  await expect.poll(() => told).toEqual(['*', 'alarms.raised', '*'])
  await running.close()
})

test('after closing nothing works any more', async () => {
  let turns = 0
  const running = startEventLoops({ pool: database.pool, log }, [
    { name: 'one', work: async () => (turns += 1) },
  ])
  await expect.poll(() => turns).toBeGreaterThan(0)
  await running.close()
  const before = turns
  await raise(4)
  await new Promise((done) => setTimeout(done, 1_200))
  expect(turns).toBe(before)
})

test('events of a process that died before it announced them are delivered, also when nothing else happens', async () => {
  const seen: number[] = []
  const looks: (readonly string[])[] = []
  const consumers = [on(raised, async ({ id }) => void seen.push(id))]
  const running = startEventLoops({ pool: database.pool, log }, [
    {
      name: 'alarms',
      topics: new Set([raised.topic]),
      work: async (announced) => {
        looks.push(announced ? [...announced] : ['all'])
        await deliver(database.db, 'alarms', consumers, announced)
      },
    },
  ])
  await quiet()
  const [before] = [looks.length, seen.splice(0)]
  const unannounced = `insert into bus.event (topic, payload) values ('alarms.raised', '{"id": 5}')`
  await database.pool.query(unannounced)
  await expect.poll(() => seen).toEqual([5])
  expect(looks.slice(before)).toContainEqual(['all'])
  await raise(6)
  await expect.poll(() => seen).toEqual([5, 6])
  expect(looks.slice(before)).toContainEqual(['alarms.raised'])
  await running.close()
})

test('work that failed is done again, though no new event comes', async () => {
  let isAway = true
  const seen: number[] = []
  let failures = 0
  const consumers = [
    on(raised, async ({ id }) => {
      if (isAway) {
        failures += 1
        throw new Error('smtp')
      }
      seen.push(id)
    }),
  ]
  await raise(7)
  const running = startEventLoops({ pool: database.pool, log }, [
    {
      name: 'mailer',
      topics: new Set([raised.topic]),
      work: (announced) => deliver(database.db, 'mailer', consumers, announced),
    },
  ])
  await expect.poll(() => failures, { timeout: 30_000 }).toBeGreaterThan(5)
  isAway = false
  await expect.poll(() => seen).toContain(7)
  await running.close()
})

test('jobs are looked for when one is announced, not after other events', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] }) // nothing is looked for because a second has passed
  try {
    let looked = 0
    let seen = 0
    const running = startEventLoops({ pool: database.pool, log, onEvent: () => (seen += 1) }, [
      jobLoop({ wake: async () => void (looked += 1) }),
    ])
    await expect.poll(() => seen).toBe(1) // it hears from now on
    const before = looked
    for (const id of [4, 5, 6]) await raise(id)
    await expect.poll(() => seen).toBe(4)
    expect(looked).toBe(before)
    await database.pool.query('select pg_notify($1, $2)', [busChannel, jobWaiting])
    await expect.poll(() => looked).toBe(before + 1)
    await running.close()
  } finally {
    vi.useRealTimers()
  }
})

test('a job that nobody works on is looked for each second, though nothing is announced', async () => {
  await quiet()
  let looked = 0
  const running = startEventLoops({ pool: database.pool, log }, [
    jobLoop({ wake: async () => void (looked += 1) }),
  ])
  const caller = { kind: 'user', sub: 'eva', username: 'eva', realm: 'plant' } as const
  const job = { service: 'any', kind: 'any', label: '', organization: 'plant', subtree: false }
  await insertJob(database.db, { ...job, caller, input: {} })
  await expect.poll(() => looked, { timeout: 30_000 }).toBeGreaterThan(3)
  await running.close()
})
