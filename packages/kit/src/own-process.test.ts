import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBus } from './events.ts'
import { createOwnProcess, createProcesses, processIsGone, processLocks } from './own-process.ts'
import { testDatabase } from './test-database.ts'
import { sql } from 'kysely'

let database: Awaited<ReturnType<typeof testDatabase>>
beforeEach(async () => {
  database = await testDatabase()
  await createBus(database.db)
  await createProcesses(database.db)
})
afterEach(() => database.close())

const failed = (error: unknown) => {
  throw error
}
/** A process that has written down that it is there. */
async function startProcess() {
  const own = createOwnProcess(database.pool)
  const beats = await own.announce({ services: ['ovens'], version: '1.2.3' }, failed)
  return {
    ...own,
    async close() {
      await beats.close()
      await own.close()
    },
  }
}
const gone = async (number: number) => {
  const { rows } = await sql<{ number: number }>`
    select number from bus.process where ${processIsGone('number')}`.execute(database.db)
  return rows.some((row) => row.number === number)
}
async function becomesGone(number: number) {
  await expect.poll(() => gone(number)).toBe(true)
}

test('a process is on the list while it lives, and counts as gone as soon as it has ended', async () => {
  const first = await startProcess()
  const second = await startProcess()
  const { rows } = await sql`select number, services, version from bus.process`.execute(database.db)
  expect(rows).toHaveLength(2)
  expect(rows).toContainEqual({ number: first.number, services: ['ovens'], version: '1.2.3' })
  expect([await gone(first.number), await gone(second.number)]).toEqual([false, false])
  await first.close()
  await becomesGone(first.number)
  expect(await gone(second.number)).toBe(false)
  await second.close()
})

test('one process leads a work until it ends, then another one that asks', async () => {
  const first = await startProcess()
  const second = await startProcess()
  const answers = [await first.leads('sweep'), await second.leads('sweep')]
  expect(answers).toEqual([true, false])
  expect([await first.leads('sweep'), await second.leads('other')]).toEqual([true, true])
  await first.close()
  await expect.poll(() => second.leads('sweep')).toBe(true)
  await second.close()
})

test('a process whose connection breaks leads nothing until it asks again, and keeps its number', async () => {
  const first = await startProcess()
  const second = await startProcess()
  expect(await first.leads('sweep')).toBe(true)
  await sql`select pg_terminate_backend(pid) from pg_locks
    where classid = ${processLocks} and objid = ${first.number}`.execute(database.db)
  await expect.poll(() => second.leads('sweep')).toBe(true)
  await expect.poll(() => first.leads('sweep').catch(() => undefined)).toBe(false)
  expect(await gone(first.number)).toBe(false)
  await first.close()
  await second.close()
})

test('a process that holds its lock but writes no beats any more is taken for dead', async () => {
  const hanging = createOwnProcess(database.pool)
  await hanging.hold()
  await sql`insert into bus.process (number, name, version, services, beat)
    values (${hanging.number}, 'hanging', '', '{}', now() - interval '20 seconds')`.execute(
    database.db,
  )
  expect(await gone(hanging.number)).toBe(false)
  const living = await startProcess()
  await becomesGone(hanging.number)
  expect(await gone(living.number)).toBe(false)
  await hanging.close()
  await living.close()
})

test('a process knows whether another one runs a service', async () => {
  const first = await startProcess()
  expect(await first.isAlone('ovens')).toBe(true)
  const second = await startProcess()
  expect(await first.isAlone('ovens')).toBe(false)
  expect(await first.isAlone('cellars')).toBe(true)
  await second.close()
  await expect.poll(() => first.isAlone('ovens')).toBe(true)
  await first.close()
})

test('processes of a service run side by side only when each reaches the others', async () => {
  const [first, second, third] = [await startProcess(), await startProcess(), await startProcess()]
  await first.join('ovens', { reaches: true })
  await second.join('ovens', { reaches: true })
  await expect(third.join('ovens', { reaches: false })).rejects.toThrow('Set NATS_URL')
  await third.join('cellars', { reaches: false })
  await expect(second.join('cellars', { reaches: true })).rejects.toThrow('cellars')
  await first.close()
  await second.close()
  await expect
    .poll(() => third.join('ovens', { reaches: false }).then(() => true, String))
    .toBe(true)
  await third.close()
})

test('rows of processes that are dead for a day go', async () => {
  await sql`insert into bus.process (number, name, version, services, beat) values
    (1, 'old', '', '{}', now() - interval '25 hours'),
    (2, 'new', '', '{}', now() - interval '23 hours')`.execute(database.db)
  const living = await startProcess()
  const { rows } = await sql<{ number: number }>`select number from bus.process`.execute(
    database.db,
  )
  expect(rows.map(({ number }) => number).toSorted((one, other) => one - other)).toEqual([
    2,
    living.number,
  ])
  await living.close()
})
