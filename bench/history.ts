import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { chartRuns } from '@longreach/telemetry/chart-runs'
import pg from 'pg'
import { argument, bestMs, figure, hasSwitch, medianMs, print, say } from './report.ts'
import { chunkStore } from './telemetry/chunks.ts'
import type { Peer } from './telemetry/peer.ts'
import { day, flushes, type Shape } from './telemetry/signals.ts'
import { hasVictoriaMetrics, victoriaMetrics } from './telemetry/victoria-metrics.ts'

// npm run bench -- history [--full] [--every=60] [--small=1000000] [--large=10000000]
const full = hasSwitch('full')
const every = argument('every', full ? 10 : 60)
const small = argument('small', full ? 10e6 : 1e6)
const large = argument('large', full ? 100e6 : 10e6)
const flushRows = 20_000
const to = Math.floor(Date.now() / 3_600_000) * 3_600_000
const series = Array.from({ length: 20 }, (_, n) => n)
const month = { since: to - 30 * day, to }
const lastDay = { since: to - 2 * day, to: to - day }

const shape = (name: string, more: Partial<Shape>): Shape => ({
  name,
  series: 20,
  everyMs: () => every * 1000,
  from: to - 364 * day,
  to,
  longFrom: to - 364 * day,
  ...more,
})

async function fill(peer: Peer, of: Shape) {
  let rows = 0
  let block: Promise<unknown>[] = []
  for (const flush of flushes(of, flushRows)) {
    rows += flush.t.length
    block.push(peer.prepare(flush)())
    if (block.length < 16) continue
    await Promise.all(block)
    block = []
  }
  await Promise.all(block)
  await peer.settle()
  return rows
}

/** Query of the explorer: 20 series over a year in about a thousand steps. */
async function year(connection: pg.PoolConfig) {
  const peers: Peer[] = [chunkStore(await database(connection, 'year'))]
  if (hasVictoriaMetrics()) peers.push(victoriaMetrics())
  const times: number[] = []
  for (const peer of peers) {
    const of = shape('year', {})
    await peer.open(of)
    say(`${peer.name}: ${figure(await fill(peer, of))} values of a year`)
    const { runs } = chartRuns({ since: of.from, to, size: 1000 })
    const chart = async () => {
      for (const { width, ...span } of runs) await peer.buckets(series, span, width)
    }
    times.push(await medianMs(5, chart))
    await peer.close()
  }
  const [ours = 0, theirs] = times
  print(`20 series over a year, a value every ${every} s`, [
    {
      what: 'a chart in about 1,000 steps',
      unit: 'ms',
      ours,
      peers: { VictoriaMetrics: theirs },
      better: 'less',
      goal: '500 ms',
    },
  ])
}

/** The same questions of the same series, the best of 100 tries, while ten times as much is stored: 1× is flat. */
async function growth(connection: pg.PoolConfig) {
  const store = chunkStore(await database(connection, 'growth'))
  // 100 series every 10 s and 900 every 300 s: about 1.1 million values a day. Whole hours stand on the grid.
  const spanOf = (rows: number) => Math.ceil((rows / 1_123_200) * 24) * 3_600_000
  const plant = (span: { from: number; to: number }, longFrom: number) =>
    shape('plant', {
      ...span,
      longFrom,
      everyMs: (n) => (n < 100 ? 10_000 : 300_000),
      series: 1000,
    })
  const lately = plant({ from: to - spanOf(small), to }, month.since)
  const before = { from: to - spanOf(large), to: to - spanOf(small) }
  await store.open(lately)
  const measured = async () => {
    await store.reopen()
    await store.bytes() // cleans up behind the filling, which would go on beside the questions
    return {
      last: await bestMs(100, () => store.last(series)),
      raw: await bestMs(100, () => store.raw(0, lastDay)),
      month: await bestMs(100, () => store.buckets([0], month, (30 * day) / 1000)),
    }
  }
  const fewStored = await fill(store, lately)
  say(`${figure(fewStored)} values stored`)
  const few = await measured()
  const more = plant(before, before.from)
  // Series 0 is what is asked for: it stays as it is.
  const others = { ...more, everyMs: (n: number) => (n === 0 ? 1e15 : more.everyMs(n)) }
  const stored = fewStored + (await fill(store, others))
  const many = await measured()
  await store.close()
  const line = (what: string, key: keyof typeof few) => ({
    what,
    unit: 'ms',
    ours: many[key],
    peers: { [`at ${figure(fewStored)}`]: few[key] },
    better: 'less' as const,
    goal: 'flat: 1×',
  })
  print(`the same questions at ${figure(fewStored)} and at ${figure(stored)} values`, [
    line('last of 20 series, none cached', 'last'),
    line('raw day of one series', 'raw'),
    line('30 days in 1,000 buckets', 'month'),
  ])
}

async function database(connection: pg.PoolConfig, name: string) {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return { ...connection, database: name }
}

const dataDir = await mkdtemp(path.join(os.tmpdir(), 'longreach-bench-'))
const server = await startPostgres({ dataDir })
const only = process.argv.find((text) => text.startsWith('--only='))?.slice('--only='.length)
try {
  if (only !== 'growth') await year(server.connection)
  if (only !== 'year') await growth(server.connection)
} finally {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
