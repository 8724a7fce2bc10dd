import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import pg from 'pg'
import { argument, figure, hasSwitch, bestMs, print, say, type Line } from './report.ts'
import { chunkStore } from './telemetry/chunks.ts'
import type { Peer } from './telemetry/peer.ts'
import { plainRows } from './telemetry/plain-rows.ts'
import { day, fleet, flushes, plant, type Rows, type Shape } from './telemetry/signals.ts'
import { hasVictoriaMetrics, victoriaMetrics } from './telemetry/victoria-metrics.ts'

// npm run bench -- telemetry [--full] [--days=3] [--points=60] [--only=plant|fleet] [--alone]
const usual = { days: 3, points: 60 }
const flushRows = argument('flush', 5000)
const inFlight = 2
const full = hasSwitch('full')
/** For profiling: no peers, no ratios. */
const alone = hasSwitch('alone')
const days = argument('days', full ? 30 : usual.days)
const points = argument('points', full ? 360 : usual.points)

type Figures = {
  rows: number
  ingest: number
  atRest: number
  bytes: number
  q: Record<string, number>
}

/** Feed the shape; only the time in which the store works counts, not that in which values are made up. */
async function ingest(peer: Peer, shape: Shape) {
  let busy = 0
  let rows = 0
  let block: Rows[] = []
  const feed = async () => {
    const start = performance.now()
    const waiting = block.values()
    const lane = async () => {
      for (const flush of waiting) await peer.write(flush)
    }
    await Promise.all(Array.from({ length: inFlight }, lane))
    busy += performance.now() - start
    block = []
  }
  for (const flush of flushes(shape, flushRows)) {
    block.push(flush)
    rows += flush.t.length
    if (block.length === 100) await feed()
  }
  await feed()
  const rate = rows / (busy / 1000)
  const start = performance.now()
  await peer.settle()
  const atRest = rows / ((busy + performance.now() - start) / 1000)
  say(
    `${peer.name}: ${figure(rows)} rows at ${figure(rate)}/s, then ${figure(performance.now() - start)} ms to settle`,
  )
  return { rows, rate, atRest }
}

/** Of everybody, as a server that has run for a while answers: a hundred tries, or those of three seconds. */
const best = (work: () => Promise<unknown>) => bestMs(100, work, { atLeast: 11, withinMs: 3_000 })

async function measure(peer: Peer, shape: Shape, before?: () => Promise<void>): Promise<Figures> {
  await peer.open(shape)
  const { rows, rate, atRest } = await ingest(peer, shape)
  const bytes = await peer.bytes()
  await before?.()
  const thousand = Array.from({ length: 1000 }, (_, n) => n)
  const fifty = Array.from({ length: 50 }, (_, n) => n)
  const lastDay = {
    since: Math.floor(shape.to / day) * day - day,
    to: Math.floor(shape.to / day) * day,
  }
  const month = { since: shape.to - 30 * day, to: shape.to }
  const q: Record<string, number> = { last: await best(() => peer.last(thousand)) }
  if (shape.series === 1000) {
    q.raw = await best(() => peer.raw(0, lastDay))
    q.month = await best(() => peer.buckets([0], month, (30 * day) / 1000))
    q.fifty = await best(() => peer.buckets(fifty, lastDay, day))
    const counted = [await peer.raw(0, lastDay), await peer.buckets([0], month, (30 * day) / 1000)]
    say(`${peer.name}: raw day ${counted[0]} values, month ${counted[1]} buckets`)
  }
  await peer.close()
  // A run that is cut short has said this much.
  const times = Object.entries(q).map(([name, ms]) => `${name} ${figure(ms)} ms`)
  say(`${peer.name}: ${figure(bytes / rows)} bytes/value, ${times.join(', ')}`)
  return { rows, ingest: rate, atRest, bytes: bytes / rows, q }
}

/** `rowsOf` is what the plain rows get: a part of all is enough for their rates, and gigabytes less. */
async function compare(connection: pg.PoolConfig, shape: Shape, rowsOf: Shape) {
  const database = async (name: string) => {
    const client = new pg.Client(connection)
    await client.connect()
    await client.query(`create database ${name}`)
    await client.end()
    return { ...connection, database: name }
  }
  const tag = `${shape.series}_${process.pid}`
  const ours = chunkStore(await database(`chunks_${tag}`))
  const own = await measure(ours, shape, () => ours.reopen())
  const found: Record<string, Figures> = {}
  if (alone) say('without peers')
  else {
    const rows = plainRows(await database(`rows_${tag}`))
    found[rows.name] = await measure(rows, rowsOf)
    const victoria = victoriaMetrics()
    if (hasVictoriaMetrics()) found[victoria.name] = await measure(victoria, shape)
    else say('victoria-metrics is not installed (apt-get install victoria-metrics); left out')
  }
  type Say = Pick<Line, 'what' | 'unit' | 'better' | 'goal'>
  const line = (of: (figures: Figures) => number | undefined, say: Say): Line => ({
    ...say,
    ours: of(own) ?? Number.NaN,
    peers: Object.fromEntries(Object.entries(found).map(([name, figures]) => [name, of(figures)])),
  })
  const wide = shape.series > 1000
  const ms = { unit: 'ms', better: 'less' } as const
  const rate = { what: 'durable ingest', unit: 'values/s', better: 'more' } as const
  const size = { what: 'size at rest', unit: 'bytes/value', better: 'less' } as const
  print(`${shape.name}, ${figure(own.rows)} values, flushes of ${flushRows}`, [
    line((f) => f.ingest, { ...rate, goal: wide ? '4× rows, 1.2× VM' : '1.8× rows, 0.6× VM' }),
    line((f) => f.atRest, { ...rate, what: 'ingest until all is in its final place' }),
    line((f) => f.bytes, { ...size, goal: '30× rows, 0.67× VM' }),
    line((f) => f.q.last, { what: 'last of 1,000 series, none cached', ...ms, goal: '5 ms' }),
    ...(wide
      ? []
      : [
          line((f) => f.q.raw, { what: 'raw day of one series', ...ms, goal: '2× VM' }),
          line((f) => f.q.month, {
            what: '30 days in 1,000 buckets',
            ...ms,
            goal: '50× rows, 1× VM',
          }),
          line((f) => f.q.fifty, { what: '50 series × 24 h', ...ms, goal: '9.2 ms' }),
        ]),
  ])
}

const dataDir = await mkdtemp(path.join(os.tmpdir(), 'longreach-bench-'))
const server = await startPostgres({ dataDir })
// Whole hours: the same grid in every run, and nothing in the future, which VictoriaMetrics refuses.
const now = Math.floor(Date.now() / 3_600_000) * 3_600_000
const only = process.argv.find((text) => text.startsWith('--only='))?.slice('--only='.length)
try {
  if (only !== 'fleet')
    await compare(server.connection, plant(days, now), plant(Math.min(days, usual.days), now))
  if (only !== 'plant')
    await compare(server.connection, fleet(points, now), fleet(Math.min(points, usual.points), now))
} finally {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
