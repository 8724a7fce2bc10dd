import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { addCursors, createBus, deliver, on, publish, recentEvents } from './events.ts'
import { testDatabase } from './test-database.ts'

const raised = { topic: 'alarms.raised', payload: z.object({ id: z.string() }) } as const
let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  database = await testDatabase()
  await createBus(database.db)
})
afterAll(() => database.close())

const raise = (...ids: string[]) =>
  database.db.transaction().execute(async (tx) => {
    for (const id of ids) await publish(tx, raised, { id })
  })

test('a consumer gets each event once, in order', async () => {
  const seen: string[] = []
  const consumers = [on(raised, async ({ id }) => void seen.push(id))]
  await raise('a', 'b')
  await Promise.all([
    deliver(database.db, 'notifications', consumers),
    deliver(database.db, 'notifications', consumers),
  ])
  expect(seen).toEqual(['a', 'b'])
})

test('more events than one batch all arrive', async () => {
  const ids = Array.from({ length: 250 }, (_, index) => String(index))
  await raise(...ids)
  const seen: string[] = []
  await deliver(database.db, 'counter', [on(raised, async ({ id }) => void seen.push(id))])
  expect(seen.slice(-250)).toEqual(ids)
})

test('a change that is rolled back announces nothing', async () => {
  const seen: string[] = []
  const rolledBack = database.db.transaction().execute(async (tx) => {
    await publish(tx, raised, { id: 'never' })
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  await deliver(database.db, 'later', [on(raised, async ({ id }) => void seen.push(id))])
  expect(seen).not.toContain('never')
})

test('what a consumer publishes is delivered in the same go, also to a consumer before it', async () => {
  const answered = { topic: 'alarms.answered', payload: z.object({ id: z.string() }) } as const
  const seen: string[] = []
  const consumers = [
    on(answered, async ({ id }) => void seen.push(`answered ${id}`)),
    on(raised, async ({ id }, tx) => {
      seen.push(`raised ${id}`)
      await publish(tx, answered, { id })
    }),
  ]
  await deliver(database.db, 'answering', consumers)
  seen.length = 0
  await raise('7')
  await deliver(database.db, 'answering', consumers)
  expect(seen).toEqual(['raised 7', 'answered 7'])
})

test('events of a topic are kept for a service that consumes it, though it has seen none', async () => {
  const kept = { topic: 'alarms.kept', payload: z.object({ id: z.string() }) } as const
  await addCursors(database.db, 'late', [kept.topic])
  await addCursors(database.db, 'late', [kept.topic])
  const cursors = sql`select distinct one as seen from bus.cursor, unnest(seen) as one where service = 'late'`
  expect((await cursors.execute(database.db)).rows).toEqual([{ seen: 0 }])
})

test('a consumer that fails sees the event again', async () => {
  const failing = on(raised, async ({ id }) => {
    if (id === 'a') throw new Error('smtp')
  })
  await expect(deliver(database.db, 'mailer', [failing])).rejects.toThrow('smtp')
  const seen: string[] = []
  await deliver(database.db, 'mailer', [on(raised, async ({ id }) => void seen.push(id))])
  expect(seen[0]).toBe('a')
})

test('events are told in the order in which their transactions end', async () => {
  const { promise: told, resolve: tell } = Promise.withResolvers<void>()
  const { promise: go, resolve: letGo } = Promise.withResolvers<void>()
  const slow = database.db.transaction().execute(async (tx) => {
    await publish(tx, raised, { id: 'slow 1' })
    tell()
    await go
    await publish(tx, raised, { id: 'slow 2' })
  })
  await told
  await raise('quick')
  const seen: string[] = []
  const heard = () =>
    deliver(database.db, 'orderly', [on(raised, async ({ id }) => void seen.push(id))])
  await heard()
  expect(seen.at(-1)).toBe('quick')
  letGo()
  await slow
  await heard()
  expect(seen.slice(-3)).toEqual(['quick', 'slow 1', 'slow 2'])
})

test('who publishes and then locks a row, and who does it the other way round, both get through', async () => {
  await sql`create table public.press (id int primary key, strokes int)`.execute(database.db)
  await sql`insert into public.press values (1, 0)`.execute(database.db)
  const count = (tx: typeof database.db) =>
    sql`update public.press set strokes = strokes + 1 where id = 1`.execute(tx)
  const { promise: published, resolve: publishing } = Promise.withResolvers<void>()
  const { promise: locked, resolve: locking } = Promise.withResolvers<void>()
  const one = database.db.transaction().execute(async (tx) => {
    await publish(tx, raised, { id: 'one' })
    publishing()
    await locked
    await count(tx)
  })
  const other = database.db.transaction().execute(async (tx) => {
    await count(tx)
    locking()
    await published
    await publish(tx, raised, { id: 'other' })
  })
  expect(await Promise.allSettled([one, other])).toMatchObject([
    { status: 'fulfilled' },
    { status: 'fulfilled' },
  ])
})

test('recent events are those of one kind and of the time asked for, in order', async () => {
  const lit = { ...raised, topic: 'lamps.lit' } as const
  await database.db.transaction().execute(async (tx) => {
    for (const id of ['old', 'first', 'second']) await publish(tx, lit, { id })
    await publish(tx, raised, { id: 'of another kind' })
  })
  await sql`update bus.event set at = now() - interval '2 minutes'
    where topic = ${lit.topic} and payload->>'id' = 'old'`.execute(database.db)
  const within = (ms: number) => recentEvents(database.db, lit, ms)
  expect(await within(60_000)).toEqual([{ id: 'first' }, { id: 'second' }])
  expect(await within(180_000)).toHaveLength(3)
})
