import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { cleanupSeenEvents } from './bus-upkeep.ts'
import { openDatabase } from './database.ts'
import { createBus, deliver, on, publishAll } from './events.ts'
import { laneOf } from './lanes.ts'
import { testDatabase } from './test-database.ts'

const moved = {
  topic: 'machines.moved',
  payload: z.object({ machine: z.string(), step: z.int() }),
  lane: ({ machine }: { machine: string }) => machine,
} as const
type Moved = z.output<typeof moved.payload>
let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  database = await testDatabase()
  await createBus(database.db)
  await sql`create table public.step (nr serial, process text, machine text, step int)`.execute(
    database.db,
  )
})
beforeEach(() => sql`truncate bus.event, bus.cursor, public.step`.execute(database.db))
afterAll(() => database.close())

const machines = Array.from({ length: 30 }, (_, n) => `m${n}`)
const move = (from: number, to: number) =>
  publishAll(
    database.db,
    moved,
    Array.from({ length: to - from }, (_, n) => from + n).flatMap((step) =>
      machines.map((machine) => ({ machine, step })),
    ),
  )
async function stepsOf(machine: string) {
  const { rows } = await sql<{ step: number }>`
    select step from public.step where machine = ${machine} order by nr`.execute(database.db)
  return rows.map(({ step }) => step)
}
const upTo = (steps: number) => Array.from({ length: steps }, (_, step) => step)

/** Process that writes the steps of machines down, over connections of its own. */
function startProcess(name: string, before?: (one: Moved) => Promise<void>) {
  const own = openDatabase({ ...database.connection, max: 2 }, () => undefined) // the test breaks them
  const write = on(moved, async (one, tx) => {
    await before?.(one)
    await sql`insert into public.step (process, machine, step)
      values (${name}, ${one.machine}, ${one.step})`.execute(tx)
  })
  return { ...own, deliver: () => deliver(own.db, 'recorder', [write]) }
}

test('two processes that consume for one service take each event once, in the order of its machine', async () => {
  const processes = [startProcess('one'), startProcess('two')]
  let isOver = false
  const reading = processes.map(async (process) => {
    while (!isOver) await process.deliver()
  })
  for (let step = 0; step < 20; step += 2) await move(step, step + 2)
  await expect.poll(async () => (await stepsOf('m0')).length).toBe(20)
  isOver = true
  await Promise.all(reading)
  await processes[0]?.deliver()
  for (const machine of machines) expect(await stepsOf(machine)).toEqual(upTo(20))
  for (const { close } of processes) await close()
})

test('what a process was delivering when it died is delivered by another one', async () => {
  await move(0, 10)
  const { promise: died, resolve: die } = Promise.withResolvers<void>()
  const dying = startProcess('one', async ({ step }) => {
    if (step < 6) return
    const text = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`
    await database.pool.query(text)
    die()
  })
  const other = startProcess('two')
  const failing = dying.deliver().catch((error: unknown) => error)
  await died
  await other.deliver()
  expect(await failing).toBeInstanceOf(Error)
  for (const machine of machines) expect(await stepsOf(machine)).toEqual(upTo(10))
  for (const { close } of [dying, other]) await close()
})

test('while a consumer fails for long, only its lane waits, and its events are kept', async () => {
  let isAway = true
  const lane = laneOf(moved, { machine: 'm0', step: 0 })
  const isBehind = (machine: string) => laneOf(moved, { machine, step: 0 }) === lane
  const process = startProcess('one', async ({ machine, step }) => {
    if (isAway && machine === 'm0' && step > 0) throw new Error('m0 is away')
  })
  for (let step = 0; step < 8; step += 1) {
    await move(step, step + 1)
    if (step === 0) await process.deliver()
    else await expect(process.deliver()).rejects.toThrow('m0 is away')
  }
  for (const machine of machines)
    if (!isBehind(machine)) expect(await stepsOf(machine)).toEqual(upTo(8))
  await sql`update bus.event set at = at - interval '3 days'`.execute(database.db)
  await cleanupSeenEvents(database.db)
  isAway = false
  await process.deliver()
  for (const machine of machines) expect(await stepsOf(machine)).toEqual(upTo(8))
  await process.close()
})
