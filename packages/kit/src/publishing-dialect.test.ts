import { sql } from 'kysely'
import net from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { openDatabase } from './database.ts'
import { createBus, publish, publishAll } from './events.ts'
import { laneOf } from './lanes.ts'
import { testDatabase } from './test-database.ts'

const moved = {
  topic: 'machines.moved',
  payload: z.object({ machine: z.string(), place: z.int() }),
  lane: ({ machine }: { machine: string }) => machine,
} as const
type Moved = z.output<typeof moved.payload>
const at = (machine: string, place = 0) => ({ machine, place })

let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  database = await testDatabase()
  await createBus(database.db)
  await sql`create table public.machine (name text primary key)`.execute(database.db)
})
beforeEach(() => sql`truncate bus.event, public.machine`.execute(database.db))
afterAll(() => database.close())

const add = (tx: typeof database.db, name: string) =>
  sql`insert into public.machine values (${name})`.execute(tx)
const written = async () =>
  (
    await sql<{ id: number; lane: number; payload: Moved }>`
      select id, lane, payload from bus.event order by id`.execute(database.db)
  ).rows

test('a transaction holds no lock of a lane before it commits, however often it has published', async () => {
  await database.db.transaction().execute(async (tx) => {
    await publish(tx, moved, at('press'))
    await publishAll(tx, moved, [at('press', 1), at('lathe', 2)])
    const { rows } = await sql`select from pg_locks where locktype = 'advisory'
      and pid = pg_backend_pid()`.execute(tx)
    expect(rows).toEqual([])
  })
  expect((await written()).map(({ payload }) => payload)).toEqual([
    at('press'),
    at('press', 1),
    at('lathe', 2),
  ])
})

test('events have a number from their insertion on, in the lane of what they are about', async () => {
  await publish(database.db, moved, at('press'))
  await database.db
    .transaction()
    .execute((tx) => publishAll(tx, moved, [at('press', 1), at('lathe')]))
  const rows = await written()
  expect(rows.every(({ id }) => id > 0)).toBe(true)
  expect(rows.map(({ lane }) => lane)).toEqual(
    [at('press'), at('press'), at('lathe')].map((one) => laneOf(moved, one)),
  )
})

test('the commit is sent while the insertion of its events waits for the lock of a lane', async () => {
  const own = openDatabase({ ...database.connection, max: 1 }, () => undefined) // has prepared no commit yet
  const other = await database.pool.connect()
  await other.query('select pg_advisory_lock(7001, $1)', [laneOf(moved, at('press'))])
  const sent = vi.spyOn(net.Socket.prototype, 'write')
  const change = own.db.transaction().execute((tx) => publish(tx, moved, at('press')))
  await expect
    .poll(async () => {
      const { rows } =
        await other.query(`select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`)
      return rows.length
    })
    .toBe(1)
  const texts = sent.mock.calls.map(([chunk]) => String(chunk))
  sent.mockRestore()
  await other.query('select pg_advisory_unlock_all()')
  other.release()
  await change
  await own.close()
  expect(texts.filter((text) => text.includes('commit'))).toHaveLength(1)
  expect(await written()).toHaveLength(1)
})

test('an event that PostgreSQL refuses takes the change of its transaction with it', async () => {
  const change = database.db.transaction().execute(async (tx) => {
    await add(tx, 'press')
    await publish(tx, moved, at('press'))
    await publish(tx, moved, at('\u0000'))
  })
  await expect(change).rejects.toThrow('unsupported Unicode escape sequence')
  expect(await written()).toEqual([])
  expect((await sql`select from public.machine`.execute(database.db)).rows).toEqual([])
  // As many as there are connections, so that the one of above is used again.
  const names = Array.from({ length: 10 }, (_, n) => `m${n}`)
  await Promise.all(
    names.map((name) => database.db.transaction().execute((tx) => publish(tx, moved, at(name)))),
  )
  expect(await written()).toHaveLength(10)
})

test('a transaction that fails and catches its failure publishes nothing', async () => {
  const change = database.db.transaction().execute(async (tx) => {
    await publish(tx, moved, at('press'))
    await add(tx, 'press')
    await add(tx, 'press').catch(() => undefined) // the transaction is rolled back for it
  })
  await expect(change).rejects.toThrow('current transaction is aborted')
  expect(await written()).toEqual([])
})

test('what was published after a savepoint goes with its roll-back, and what came before stays', async () => {
  const tx = await database.db.startTransaction().execute()
  await publish(tx, moved, at('before'))
  const one = await tx.savepoint('one').execute()
  await publish(one, moved, at('one'))
  const two = await one.savepoint('two').execute()
  await publish(two, moved, at('two'))
  const back = await two.rollbackToSavepoint('one').execute()
  const three = await back.savepoint('three').execute()
  await publish(three, moved, at('three'))
  await three.releaseSavepoint('three').execute()
  await publish(three, moved, at('after'))
  await three.commit().execute()
  expect((await written()).map(({ payload }) => payload.machine)).toEqual([
    'before',
    'three',
    'after',
  ])
})

test('what an earlier version inserts in the same lanes has its number and holds nothing up for ever', async () => {
  const machines = Array.from({ length: 12 }, (_, n) => `m${n}`)
  const earlier = async () => {
    const client = await database.pool.connect()
    for (let round = 0; round < 20; round += 1) {
      await client.query('begin')
      for (const machine of machines.toReversed()) {
        await client.query('insert into bus.event (topic, payload, lane) values ($1, $2, $3)', [
          moved.topic,
          at(machine),
          laneOf(moved, at(machine)),
        ])
      }
      await client.query('commit')
    }
    client.release()
  }
  const present = async () => {
    for (let round = 0; round < 20; round += 1) {
      await database.db.transaction().execute(async (tx) => {
        for (const machine of machines) await publish(tx, moved, at(machine))
      })
    }
  }
  await Promise.all([earlier(), present(), earlier(), present()])
  const rows = await written()
  expect(rows).toHaveLength(4 * 20 * machines.length)
  expect(rows[0]?.id).toBeGreaterThan(0)
})
