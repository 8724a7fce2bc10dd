import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import pg from 'pg'
import { argument, hasSwitch, print, say, type Line } from './report.ts'
import { chunkStore } from './telemetry/chunks.ts'
import type { Answer, Peer } from './telemetry/peer.ts'
import { plainRows } from './telemetry/plain-rows.ts'
import { day, fleet, plant, type Shape } from './telemetry/signals.ts'
import { askInTurns, ingestInTurns, type Entrant } from './telemetry/turns.ts'
import { hasVictoriaMetrics, victoriaMetrics } from './telemetry/victoria-metrics.ts'

// npm run bench -- telemetry [--full] [--days=3] [--points=60] [--only=plant|fleet] [--alone]
const usual = { days: 3, points: 60 }
const flushRows = argument('flush', 5000)
const full = hasSwitch('full')
/** For profiling: no peers, no ratios. */
const alone = hasSwitch('alone')
const days = argument('days', full ? 30 : usual.days)
const points = argument('points', full ? 360 : usual.points)

const minute = 60_000
type Question = { what: string; goal: string; ask: (peer: Peer) => Promise<Answer> }

const first = (count: number) => Array.from({ length: count }, (_, n) => n)
const lastOfThousand: Question = {
  what: 'last of 1,000 series, none cached',
  goal: '5 ms',
  ask: (peer) => peer.last(first(1000)),
}

function questionsOf({ series, to }: Shape): Question[] {
  if (series !== 1000) return [lastOfThousand]
  const midnight = Math.floor(to / day) * day
  const lastDay = { since: midnight - day, to: midnight }
  const oddDay = { since: lastDay.since - 17 * minute, to: lastDay.to - 17 * minute }
  const month = { since: to - 30 * day, to }
  return [
    lastOfThousand,
    { what: 'raw day of one series', goal: '2× VM', ask: (peer) => peer.raw(0, lastDay) },
    {
      what: '30 days in 1,000 buckets',
      goal: '50× rows, 1.5× VM',
      ask: (peer) => peer.buckets([0], month, (30 * day) / 1000),
    },
    {
      what: '50 series × one day of UTC',
      goal: '2× VM',
      ask: (peer) => peer.buckets(first(50), lastDay, day),
    },
    {
      what: '50 series × any 24 h',
      goal: '2× VM',
      ask: (peer) => peer.buckets(first(50), oddDay, day),
    },
    {
      what: '50 series × a day in buckets of ten minutes',
      goal: '2× VM',
      ask: (peer) => peer.buckets(first(50), lastDay, 10 * minute),
    },
  ]
}

/** The plain rows get a part of a large shape: enough for their rates, and gigabytes less. */
function entrantsOf(connection: (name: string) => Promise<pg.PoolConfig>, shape: Shape) {
  const lately = shape.to - (shape.series === 1000 ? usual.days * day : usual.points * 10_000)
  return async (): Promise<Entrant[]> => {
    if (alone) return []
    const rows: Entrant = {
      peer: plainRows(await connection('rows')),
      takes: ({ n, t }) => n === 0 || t >= lately,
    }
    if (hasVictoriaMetrics()) return [rows, { peer: victoriaMetrics() }]
    say('victoria-metrics is not installed (apt-get install victoria-metrics); left out')
    return [rows]
  }
}

async function compare(connection: pg.PoolConfig, shape: Shape) {
  const database = async (name: string) => {
    const own = `${name}_${shape.series}_${process.pid}`
    const client = new pg.Client(connection)
    await client.connect()
    await client.query(`create database ${own}`)
    await client.end()
    return { ...connection, database: own }
  }
  const ours = chunkStore(await database('chunks'))
  const entrants = [{ peer: ours }, ...(await entrantsOf(database, shape)())]
  const peers = entrants.map(({ peer }) => peer)
  for (const peer of peers) await peer.open(shape)
  const found = await ingestInTurns(entrants, shape, flushRows)
  const bytes: number[] = []
  for (const peer of peers) bytes.push(await peer.bytes())
  await ours.reopen()
  const line = (
    figures: number[],
    about: Pick<Line, 'what' | 'unit' | 'better' | 'goal'>,
  ): Line => ({
    ...about,
    ours: figures[0] ?? Number.NaN,
    peers: Object.fromEntries(peers.slice(1).map(({ name }, at) => [name, figures[at + 1]])),
  })
  const wide = shape.series > 1000
  const rate = { unit: 'values/s', better: 'more' } as const
  const lines = [
    line(
      found.map((one) => one.rate),
      { ...rate, what: 'durable ingest', goal: wide ? '4× rows, 2× VM' : '1.8× rows, 1.7× VM' },
    ),
    line(
      found.map((one) => one.atRest),
      {
        ...rate,
        what: 'ingest until all is in its final place',
        ...(wide && { goal: '1.5× VM' }),
      },
    ),
    line(
      found.map(({ rows }, at) => (bytes[at] ?? 0) / rows),
      { what: 'size at rest', unit: 'bytes/value', better: 'less', goal: '30× rows, 0.67× VM' },
    ),
  ]
  for (const { what, goal, ask } of questionsOf(shape)) {
    const times = await askInTurns(peers, what, ask)
    const ms = { unit: 'ms', better: 'less' } as const
    lines.push(
      line(
        times.map(({ median }) => median),
        { ...ms, what, goal },
      ),
      line(
        times.map(({ best }) => best),
        { ...ms, what: `${what}: the best` },
      ),
    )
  }
  for (const peer of peers) await peer.close()
  print(`${shape.name}, flushes of ${flushRows}; times are medians`, lines)
}

const dataDir = await mkdtemp(path.join(os.tmpdir(), 'longreach-bench-'))
const server = await startPostgres({ dataDir })
// Whole hours: the same grid in every run, and nothing in the future, which VictoriaMetrics refuses.
const now = Math.floor(Date.now() / 3_600_000) * 3_600_000
const only = process.argv.find((text) => text.startsWith('--only='))?.slice('--only='.length)
try {
  if (only !== 'fleet') await compare(server.connection, plant(days, now))
  if (only !== 'plant') await compare(server.connection, fleet(points, now))
} finally {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
