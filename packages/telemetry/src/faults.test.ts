import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { testDatabase } from '@longreach/kit/test-database'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { openTelemetry, type TelemetryError, type TelemetryStore } from './store.ts'

const program = path.join(import.meta.dirname, 'faults-writer.ts')

/**
 * Lets a process append at full rate, kills it after some acknowledgements, and returns what it
 * acknowledged.
 */
async function killedWriter(connection: object, first: number, after: number) {
  const child = spawn(process.execPath, [program, JSON.stringify(connection), String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  let seen = 0
  child.stdout.on('data', (data: Buffer) => {
    text += data.toString()
    seen += data.toString().split('\n').length - 1
    if (seen >= after) child.kill('SIGKILL')
  })
  await new Promise((done) => child.once('close', done))
  return text.split('\n').slice(0, -1).map(Number)
}

async function timesOf(store: TelemetryStore, series: number) {
  const times = new Map<number, unknown>()
  for await (const page of store.read(series, { since: 0, to: 1e9 }))
    for (const { t, v } of page) times.set(t, v)
  return times
}

test('kill -9 at full rate loses nothing that was acknowledged', async () => {
  const database = await testDatabase()
  const acknowledged: number[] = []
  for (let round = 0; round < 4; round += 1)
    acknowledged.push(
      ...(await killedWriter(database.connection, round * 1_000_000, 300 + round * 1500)),
    )
  expect(acknowledged.length).toBeGreaterThan(10_000)
  const store = await openTelemetry({ pool: database.pool })
  const series = await store.findSeries('crash')
  expect(series).toHaveLength(40)
  for (const { id, path } of series) {
    const stored = await timesOf(store, id)
    const n = Number(path.slice('Line:1/'.length))
    expect(acknowledged.filter((t) => stored.get(t) !== t * 100 + n)).toEqual([])
  }
  await store.sealNow()
  await store.close()
  await database.close()
})

test('the database killed under it loses nothing, and the store goes on', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'longreach-faults-'))
  const server = await startPostgres({ dataDir })
  const pool = new pg.Pool(server.connection)
  pool.on('error', () => undefined) // connections of the killed server
  const store = await openTelemetry({ pool, limits: { sealAt: 20_000 } })
  const series = await store.seriesOf('acme', 'pump', 'Pump:1/flow', 'integer')
  const acknowledged: number[] = []
  const faults = new Set<string>()
  const writing = { stop: false }
  const appender = async (lane: number) => {
    for (let t = lane; !writing.stop; t += 8)
      await store.append({ series: [series], t: [t], v: [t] }).then(
        () => acknowledged.push(t),
        (error: unknown) => faults.add((error as TelemetryError).fault),
      )
  }
  const appenders = Array.from({ length: 8 }, (_, lane) => appender(lane))
  for (let round = 0; round < 2; round += 1) {
    const before = acknowledged.length
    await vi.waitUntil(() => acknowledged.length > before + 2000, { timeout: 60_000 })
    const dead = server.pid()
    process.kill(dead, 'SIGKILL')
    await vi.waitUntil(() => server.pid() !== dead, { timeout: 60_000 })
  }
  const revived = acknowledged.length
  await vi.waitUntil(() => acknowledged.length > revived + 2000, { timeout: 60_000 })
  writing.stop = true
  await Promise.all(appenders)
  expect([...faults]).toEqual(['unavailable'])
  for (const when of ['in memory', 'sealed', 'reopened']) {
    if (when === 'sealed') await store.sealNow()
    const reader = when === 'reopened' ? await openTelemetry({ pool }) : store
    const stored = await timesOf(reader, series)
    expect(acknowledged.filter((t) => stored.get(t) !== t)).toEqual([])
    if (reader !== store) await reader.close()
  }
  await store.close()
  await pool.end()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

test('a full disk is answered clearly, leaves no trace and is over when there is room', async () => {
  const database = await testDatabase()
  const store = await openTelemetry({ pool: database.pool })
  const series = await store.seriesOf('acme', 'pump', 'Pump:1/flow', 'integer')
  const append = (t: number) => store.append({ series: [series], t: [t], v: [t] })
  await append(1)
  // The error that PostgreSQL raises when a file cannot grow, raised at the same place.
  await database.pool.query(`create function telemetry.full() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device'
       using errcode = 'disk_full'; end $$`)
  await database.pool.query(`create trigger full_disk before insert on telemetry.head
    for each row execute function telemetry.full()`)
  await expect(append(2)).rejects.toMatchObject({ fault: 'disk_full' })
  await expect(append(2)).rejects.toThrow('free disk space')
  expect([...(await timesOf(store, series)).keys()]).toEqual([1])
  await database.pool.query(`drop trigger full_disk on telemetry.head`)
  await append(3)
  expect([...(await timesOf(store, series)).keys()]).toEqual([1, 3])
  await store.close()
  await expect(append(4)).rejects.toMatchObject({ fault: 'closed' })
  await database.close()
})

test('full memory makes appending wait instead of growing', async () => {
  const database = await testDatabase()
  const limits = { memory: 3000, sealAt: 1000, flushRows: 500 }
  const store = await openTelemetry({ pool: database.pool, limits })
  const series = await store.seriesOf('acme', 'pump', 'Pump:1/flow', 'integer')
  const waiting: number[] = []
  const rows = Array.from({ length: 250 }, (_, n) => n)
  await Promise.all(
    Array.from({ length: 100 }, async (_, batch) => {
      const t = rows.map((n) => batch * 250 + n)
      await store.append({ series: rows.map(() => series), t, v: t })
      waiting.push((await store.storage()).waiting)
    }),
  )
  expect(Math.max(...waiting)).toBeLessThan(4500)
  expect((await timesOf(store, series)).size).toBe(25_000)
  await store.close()
  await database.close()
})
