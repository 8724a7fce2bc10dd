import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { beginSmallMonths, keepMonths } from './months-upkeep.ts'
import { partitionsOf, type Placed } from './months.ts'
import { type TestDatabase, testDatabase } from './test-database.ts'

const [dayMs, now] = [86_400_000, new Date('2026-11-26T12:00:00Z')]
const notes: Placed = {
  schema: 'plant',
  table: 'note',
  time: 'at',
  key: ['id', 'at'],
  keptMs: 90 * dayMs,
  goes: "kind <> 'kept' and made_at < $1",
}
let database: TestDatabase

beforeEach(async () => {
  database = await testDatabase()
  await ask(`create schema plant;
    create table plant.machine (id int primary key);
    insert into plant.machine select generate_series(1, 100);
    create table plant.note (
      id bigint generated always as identity primary key,
      machine int not null references plant.machine,
      at timestamptz not null,
      kind text not null default 'log' check (kind <> ''),
      made_at timestamptz not null,
      data jsonb not null default '{}');
    create index note_machine on plant.note (machine, at desc, id desc);
    create index note_kept on plant.note (made_at) where kind <> 'kept'`)
})
afterEach(() => database.close())

const ask = async (text: string, values?: unknown[]) =>
  (await database.pool.query<Record<string, unknown>>(text, values)).rows
const insert = (at: string | Date, kind = 'log') =>
  ask(
    `insert into plant.note (machine, at, made_at, kind) values (1, $1, least($1, $3::timestamptz), $2)`,
    [at, kind, now],
  )
const keep = (at = now) => keepMonths(database.pool, notes, { now: at, smallBytes: 0 })
/** The same for rows that are kept for long. */
const keepLong = (at = now, pool: pg.Pool = database.pool) =>
  keepMonths(pool, { ...notes, keptMs: 3_650 * dayMs }, { now: at, smallBytes: 0 })
/** Rows by the partition that they are in. */
const places = async () => {
  const rows = await ask(
    `select tableoid::regclass::text as place, count(*)::int as count from plant.note group by 1 order by 1`,
  )
  return Object.fromEntries(rows.map(({ place, count }) => [place, count]))
}
const months = async () => {
  const client = await database.pool.connect()
  try {
    return (await partitionsOf(client, notes))?.map(({ name }) => name)
  } finally {
    client.release()
  }
}
const fill = (rows: number, from = '2026-01-01', every = '3 minutes') =>
  ask(`insert into plant.note (machine, at, made_at, data)
    select 1 + g % 100, t, t, jsonb_build_object('said', repeat('x', 60)) from generate_series(1, ${rows}) g
    cross join lateral (select '${from}'::timestamptz + g * interval '${every}' as t) at`)

test('an empty table has this month and the next at once, with the indexes and rules that it had', async () => {
  await beginSmallMonths(database.pool, [notes], now)
  expect(await months()).toEqual(['note_first', 'note_2026_11', 'note_2026_12', 'note_later'])
  await insert('2026-11-30T23:59:59.999Z')
  await insert('2026-12-01T00:00:00Z')
  const [{ id } = {}] = await ask('select max(id)::int as id from plant.note')
  expect(id).toBe(2)
  const indexes = await ask(`select indexname as name from pg_indexes
    where schemaname = 'plant' and tablename = 'note' order by 1`)
  expect(indexes.map(({ name }) => name)).toEqual(['note_kept', 'note_machine', 'note_pkey'])
  expect(await places()).toEqual({ 'plant.note_2026_11': 1, 'plant.note_2026_12': 1 })
  await expect(
    ask(`insert into plant.note (machine, at, made_at) values (777, now(), now())`),
  ).rejects.toMatchObject({ code: '23503' })
  await expect(
    ask(`insert into plant.note (machine, at, made_at, kind) values (1, now(), now(), '')`),
  ).rejects.toMatchObject({ code: '23514' })
})

test('rows of any time are taken: before all months, after them, and those of a plan move into their month', async () => {
  await beginSmallMonths(database.pool, [notes], now)
  await insert('1999-01-01')
  await insert('2031-07-01')
  await insert('2027-01-15')
  await insert('2027-02-15')
  expect(await places()).toEqual({ 'plant.note_first': 1, 'plant.note_later': 3 })
  await keep(new Date('2026-12-01T00:00:00Z'))
  expect(await places()).toMatchObject({ 'plant.note_2027_01': 1, 'plant.note_later': 2 })
  // Away for long: months between are made as well.
  await keep(new Date('2027-05-03T00:00:00Z'))
  expect(await places()).toMatchObject({ 'plant.note_2027_02': 1, 'plant.note_later': 1 })
  expect((await months())?.at(-2)).toBe('note_2027_06')
})

test('months go when they are over for long; rows that stay move, and what is too old before them goes by row', async () => {
  await beginSmallMonths(database.pool, [notes], new Date('2026-05-10T00:00:00Z'))
  await insert('2026-04-01')
  await insert('2026-05-15', 'kept')
  await insert('2026-05-16')
  await insert('2026-06-30')
  await keep(new Date('2026-07-01T00:00:00Z'))
  expect(await places()).toEqual({ 'plant.note_2026_05': 2, 'plant.note_2026_06': 1 })
  await keep(new Date('2026-08-29T23:59:00Z'))
  expect(await places()).toEqual({ 'plant.note_2026_05': 2, 'plant.note_2026_06': 1 })
  await keep(new Date('2026-08-30T00:00:00Z'))
  expect(await places()).toEqual({ 'plant.note_first': 1, 'plant.note_2026_06': 1 })
  expect((await months())?.slice(0, 2)).toEqual(['note_first', 'note_2026_06'])
  // Somebody tells late of that month: it is taken, and goes at the next round.
  await insert('2026-05-20')
  expect(await places()).toMatchObject({ 'plant.note_first': 2 })
  await keep(new Date('2026-12-30T00:00:00Z'))
  expect(await places()).toEqual({ 'plant.note_first': 1 })
  expect(await ask(`select kind from plant.note`)).toEqual([{ kind: 'kept' }])
})

test('a month of which many rows stay is not moved while others wait', async () => {
  await beginSmallMonths(database.pool, [notes], new Date('2026-05-10T00:00:00Z'))
  await fill(6_000, '2026-05-10', '1 minute')
  await ask(`update plant.note set kind = 'kept'`)
  await insert('2026-05-20')
  await keep(now)
  expect(await places()).toEqual({ 'plant.note_2026_05': 6_000 })
  expect((await months())?.[1]).toBe('note_2026_05')
})

test(
  'a large table keeps all rows while others write, read and plan',
  { timeout: 120_000 },
  async () => {
    await fill(150_000)
    await insert('2027-03-01', 'kept')
    const before = await fingerprint()
    const writer = startWriter()
    await writer.has(20)
    await keepLong()
    await writer.has(writer.count() + 20)
    const { written, errors } = await writer.stop()
    expect(errors).toEqual([])
    expect(await months()).toEqual(['note_first', 'note_later'])
    const after = await places()
    expect(after['plant.note_first']).toBe(150_000 + written.usual)
    expect(after['plant.note_later']).toBe(1 + written.planned)
    await ask(`delete from plant.note where data->>'by' = 'writer'`)
    expect(await fingerprint()).toEqual(before)
    const [{ twice } = {}] = await ask(
      `select count(*) - count(distinct id) as twice from plant.note`,
    )
    expect(twice).toBe(0)
    await insert(now)
    expect(
      await ask(`select count(*)::int as left from pg_proc where proname like 'note%'`),
    ).toEqual([{ left: 0 }])
    await keepLong(new Date('2026-12-24T00:00:00Z'))
    expect(await months()).toEqual(['note_first', 'note_2027_01', 'note_later'])
  },
)

test('processes that begin at once make the months once', async () => {
  await fill(20_000)
  const before = await fingerprint()
  const other = new pg.Pool({ ...database.connection, max: 4 })
  const all = Array.from({ length: 6 }, (_, index) =>
    keepLong(now, index % 2 ? other : database.pool),
  )
  expect((await Promise.all(all)).some(Boolean)).toBe(true)
  await keepLong(new Date('2026-12-24T00:00:00Z'))
  await other.end()
  expect(await months()).toEqual(['note_first', 'note_2027_01', 'note_later'])
  expect(await fingerprint()).toEqual(before)
})

test('it goes on after a kill at any step', { timeout: 240_000 }, async () => {
  await fill(30_000)
  await insert('2027-03-01', 'kept')
  const before = await fingerprint()
  let steps = 0
  for (let isDone = false; !isDone; steps += 1) {
    const pool = poolThatBreaks(steps)
    isDone = await keepLong(now, pool).then(
      () => true,
      () => false,
    )
    await pool.end()
    await until(async () => {
      const [{ others } = {}] = await ask(`select count(*)::int as others from pg_locks
        where locktype = 'advisory' and database = (select oid from pg_database
          where datname = current_database())`)
      return others === 0
    })
    expect(await fingerprint()).toEqual(before)
  }
  expect(steps).toBeGreaterThan(10)
  expect(await months()).toEqual(['note_first', 'note_later'])
  expect(await fingerprint()).toEqual(before)
})

test('a beginning that was interrupted for weeks sets a later boundary', async () => {
  await fill(1_000)
  const [early, late] = [new Date('2026-11-26T00:00:00Z'), new Date('2026-12-30T00:00:00Z')]
  const isAside = async () =>
    (await ask(`select to_regclass('plant.note_later') is not null as aside`))[0]?.aside === true
  for (let steps = 5; !(await isAside()); steps += 1) {
    const pool = poolThatBreaks(steps)
    await keepLong(early, pool).catch(() => undefined) // as planned
    await pool.end()
  }
  expect(await months()).toBeUndefined()
  await ask(`insert into plant.note (machine, at, made_at) values (1, '2027-01-20', now())`)
  const before = await fingerprint()
  await keepLong(late)
  expect(await fingerprint()).toEqual(before)
  const rows = await places()
  expect(rows).toEqual({ 'plant.note_first': 1_001 })
})

test('a table that somebody holds is left for later, and nobody waits behind it for long', async () => {
  await beginSmallMonths(database.pool, [notes], now)
  const reader = await database.pool.connect()
  await reader.query('begin')
  await reader.query('select count(*) from plant.note')
  const kept = keep(new Date('2026-12-24T00:00:00Z')).then(
    () => 'kept',
    (error: unknown) => (error as { code: string }).code,
  )
  // It gives up its place in the queue each time, so that writers come through meanwhile.
  for (let rows = 0; rows < 50; rows += 1) await insert(now)
  await reader.query('commit')
  reader.release()
  expect(await kept).toBe('kept')
  expect(await months()).toContain('note_2027_01')
})

/** Rows of the table, and those that were put aside while it is prepared. */
async function fingerprint() {
  const [{ aside } = {}] = await ask(`select to_regclass('plant.note_later') is not null
    and (select relkind from pg_class where oid = 'plant.note'::regclass) = 'r' as aside`)
  const all = aside === true ? '(table plant.note union all table plant.note_later)' : 'plant.note'
  return (
    await ask(`select count(*)::int as count, md5(string_agg(n::text, ',' order by id)) as text
    from ${all} n`)
  )[0]
}

/** Pool whose connections break before a statement, as when the process is killed there. */
function poolThatBreaks(after: number) {
  let left = after
  class Breaking extends pg.Client {
    override query(...asked: unknown[]): never {
      left -= 1
      if (left < 0) void this.end()
      return (pg.Client.prototype.query as (...asked: unknown[]) => never).apply(this, asked)
    }
  }
  const pool = new pg.Pool({ ...database.connection, Client: Breaking })
  pool.on('error', () => undefined) // its connections are to break
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Program that writes without a pause: usual rows, and at times one that is planned far ahead. */
function startWriter() {
  const written = { usual: 0, planned: 0 }
  const errors: unknown[] = []
  let isStopping = false
  const run = async () => {
    while (!isStopping) {
      const planned = written.usual % 10 === 9 && written.planned * 10 < written.usual
      const at = planned ? '2027-06-01' : now
      try {
        await ask(
          `insert into plant.note (machine, at, made_at, kind, data)
           values (2, $1, $2, 'kept', '{"by":"writer"}')`,
          [at, now],
        )
        written[planned ? 'planned' : 'usual'] += 1
      } catch (error) {
        errors.push(error)
      }
    }
  }
  const running = run()
  return {
    count: () => written.usual,
    has: (count: number) => until(async () => written.usual >= count),
    async stop() {
      isStopping = true
      await running
      return { written, errors }
    },
  }
}

async function until(isTrue: () => Promise<boolean>) {
  while (!(await isTrue())) await new Promise((done) => setTimeout(done, 20))
}
