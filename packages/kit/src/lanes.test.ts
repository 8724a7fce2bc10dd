import '../../../scripts/fuzz-seed.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createBus, deliver, newestEvent, on, onMany, publish, publishAll } from './events.ts'
import { everywhere, openEars } from './everywhere.ts'
import { laneOf } from './lanes.ts'
import { testDatabase } from './test-database.ts'

const moved = {
  topic: 'machines.moved',
  payload: z.object({ machine: z.string(), tx: z.int(), place: z.int() }),
  lane: ({ machine }: { machine: string }) => machine,
} as const
type Moved = z.output<typeof moved.payload>
const at = (machine: string, tx = 0, place = 0) => ({ machine, tx, place })

let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  database = await testDatabase()
  await createBus(database.db)
})
beforeEach(() => sql`truncate bus.event, bus.cursor`.execute(database.db))
afterAll(() => database.close())

/** Machines of different lanes, in the order of their lanes. */
const machines = [
  ...new Map(
    Array.from({ length: 200 }, (_, n) => `m${n}`).map((name) => [laneOf(moved, at(name)), name]),
  ),
]
  .toSorted(([one], [other]) => one - other)
  .map(([, name]) => name)
const [first = '', second = ''] = machines

test('every lane is used, and a machine is always in the same one', () => {
  expect(machines).toHaveLength(16)
  expect(laneOf(moved, at('press', 1))).toBe(laneOf(moved, at('press', 2)))
})

const Tx = fc.record({
  machines: fc.uniqueArray(fc.nat(7), { minLength: 1, maxLength: 4 }),
  waitMs: fc.nat(15),
})

test('consumers and ears take every event once, in the order of commits within a lane, while others commit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Tx, { minLength: 20, maxLength: 40 }), async (transactions) => {
      await sql`truncate bus.event, bus.cursor`.execute(database.db)
      const consumed: Moved[] = []
      const heard: Moved[] = []
      const { hear } = await openEars({
        db: database.db,
        effects: [everywhere(moved, (one) => void heard.push(one))],
        failed: (error) => expect.unreachable(String(error)),
      })
      const consumers = [on(moved, async (one) => void consumed.push(one))]
      let isOver = false
      const reading = (async () => {
        while (!isOver) await Promise.all([deliver(database.db, 'reader', consumers), hear()])
      })()
      const queue = transactions.entries()
      const writer = async () => {
        for (const [tx, { machines: of, waitMs }] of queue) {
          await database.db.transaction().execute(async (db) => {
            for (const [place, index] of of.entries()) {
              await publish(db, moved, at(machines[index] ?? '', tx, place))
            }
            await wait(waitMs)
          })
        }
      }
      await Promise.all([writer(), writer(), writer(), writer()])
      isOver = true
      await reading
      await deliver(database.db, 'reader', consumers)
      await hear()
      const { rows } = await sql<{ payload: Moved }>`select payload from bus.event
        order by lane, id`.execute(database.db)
      const committed = rows.map(({ payload }) => payload)
      for (const machine of machines) {
        const of = (all: Moved[]) => all.filter((one) => one.machine === machine)
        expect(of(consumed)).toEqual(of(committed))
        expect(of(heard)).toEqual(of(committed))
      }
      expect(consumed).toHaveLength(transactions.flatMap((one) => one.machines).length)
      expect(heard).toHaveLength(consumed.length)
    }),
    { numRuns: 5 },
  )
})

test('of a lane the transaction that commits last has the last number, whichever published first', async () => {
  const { promise: told, resolve: tell } = Promise.withResolvers<void>()
  const { promise: go, resolve: letGo } = Promise.withResolvers<void>()
  const seen: number[] = []
  const read = () =>
    deliver(database.db, 'orderly', [on(moved, async ({ tx }) => void seen.push(tx))])
  const slow = database.db.transaction().execute(async (db) => {
    await publish(db, moved, at(first, 1))
    tell()
    await go
  })
  await told
  await publish(database.db, moved, at(first, 2))
  await publish(database.db, moved, at(second, 3))
  await read()
  letGo()
  await slow
  await read()
  expect(seen).toEqual([2, 3, 1])
})

test('a transaction of another lane that commits later with a lower number is delivered, heard and counted', async () => {
  const heard: number[] = []
  const seen: number[] = []
  const { hear } = await openEars({
    db: database.db,
    effects: [everywhere(moved, ({ tx }) => void heard.push(tx))],
    failed: () => undefined,
  })
  const consumers = [on(moved, async ({ tx }) => void seen.push(tx))]
  const newest = async () => {
    const text = `select ${newestEvent("array['machines.moved']")} as newest`
    return (await database.pool.query<{ newest: number }>(text)).rows[0]?.newest
  }
  const client = await database.pool.connect()
  const insert = 'insert into bus.event (topic, payload, lane) values ($1, $2, $3)'
  await client.query('begin')
  await client.query(insert, [moved.topic, at(first, 1), laneOf(moved, at(first))])
  await client.query('set constraints all immediate') // has its number, and has not committed
  await publish(database.db, moved, at(second, 2))
  await deliver(database.db, 'any', consumers)
  await hear()
  const before = await newest()
  await client.query('commit')
  client.release()
  await deliver(database.db, 'any', consumers)
  await hear()
  expect({ seen, heard }).toEqual({ seen: [2, 1], heard: [2, 1] })
  expect(await newest()).toBeGreaterThan(before ?? Infinity)
})

test('transactions that publish into the same lanes in opposite orders all commit', async () => {
  const many = async (of: readonly string[]) => {
    for (let tx = 0; tx < 25; tx += 1) {
      await database.db.transaction().execute(async (db) => {
        for (const machine of of) await publish(db, moved, at(machine, tx))
      })
    }
  }
  const backwards = machines.toReversed()
  const all = [machines, backwards, machines, backwards].map(many)
  expect((await Promise.allSettled(all)).map(({ status }) => status)).not.toContain('rejected')
  const { rows } = await sql`select from bus.event where id > 0`.execute(database.db)
  expect(rows).toHaveLength(4 * 25 * 16)
})

test('what was rolled back to a savepoint takes no number, and what follows it does', async () => {
  const client = await database.pool.connect()
  const insert = 'insert into bus.event (topic, payload, lane) values ($1, $2, $3)'
  await client.query('begin')
  await client.query('savepoint here')
  await client.query(insert, [moved.topic, at(first, 1), 3])
  await client.query('rollback to savepoint here')
  await client.query(insert, [moved.topic, at(first, 2), 5])
  await client.query('commit')
  client.release()
  const { rows } = await sql<{ id: number; lane: number }>`select id, lane from bus.event`.execute(
    database.db,
  )
  expect(rows).toEqual([{ id: expect.any(Number), lane: 5 }])
  expect(rows[0]?.id).toBeGreaterThan(0)
})

test('a consumer that fails holds up its lane of its topic, and its failure is told', async () => {
  const other = { ...moved, topic: 'machines.other' } as const
  await publishAll(database.db, moved, [at(first, 1), at(second, 1), at(first, 2), at(second, 2)])
  await publish(database.db, other, at(first, 9))
  const seen: string[] = []
  let isAway = true
  const note = ({ machine, tx }: Moved) =>
    void seen.push(`${machine === first ? 'first' : 'second'} ${tx}`)
  const consumers = [
    on(moved, async (one) => {
      if (isAway && one.machine === first) throw new Error('smtp')
    }),
    on(moved, async (one) => note(one)),
    onMany(other, async (all) => all.forEach(note)),
  ]
  await expect(deliver(database.db, 'mailer', consumers)).rejects.toThrow('smtp')
  expect(seen).toEqual(['second 1', 'second 2', 'first 9'])
  isAway = false
  await deliver(database.db, 'mailer', consumers)
  expect(seen.slice(3)).toEqual(['first 1', 'first 2'])
})

test('an effect that fails holds up its lane only', async () => {
  const seen: string[] = []
  let isAway = true
  const { hear } = await openEars({
    db: database.db,
    effects: [
      everywhere(moved, ({ machine, tx }) => {
        if (isAway && machine === first) throw new Error('away')
        seen.push(`${machine === first ? 'first' : 'second'} ${tx}`)
      }),
    ],
    failed: () => undefined,
  })
  await publishAll(database.db, moved, [at(first, 1), at(second, 1), at(first, 2), at(second, 2)])
  await expect(hear()).rejects.toThrow('away')
  expect(seen).toEqual(['second 1', 'second 2'])
  isAway = false
  await hear()
  expect(seen.slice(2)).toEqual(['first 1', 'first 2'])
})

test('while a transaction that has its number commits, the next one of its lane waits', async () => {
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query('insert into bus.event (topic, payload, lane) values ($1, $2, $3)', [
    moved.topic,
    at(first, 1),
    laneOf(moved, at(first)),
  ])
  await client.query('set constraints all immediate')
  const next = publish(database.db, moved, at(first, 2))
  const waiting = async () =>
    (
      await sql`select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(
        database.db,
      )
    ).rows.length
  await expect.poll(waiting).toBe(1)
  const seen: number[] = []
  const consumers = [on(moved, async ({ tx }) => void seen.push(tx))]
  await deliver(database.db, 'waiting', consumers)
  expect(seen).toEqual([])
  await client.query('commit')
  client.release()
  await next
  await deliver(database.db, 'waiting', consumers)
  expect(seen).toEqual([1, 2])
})
