import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { makeEarlierKeys } from '@longreach/telemetry/earlier-keys'
import { openTelemetry, type TelemetryStore } from '@longreach/telemetry/store'
import pg from 'pg'
import { argument, say } from './report.ts'

// npm run bench -- telemetry-keys [--millions=20] [--series=20000]: a store of the version before gets its
// keys by slot while it is written and read; beside it the same load on the same store without that work.
const millions = argument('millions', 20)
const series = argument('series', 20_000)
const start = Date.UTC(2026, 0, 5)
const everyMs = 10_000
const inChunk = 600
const quietMs = 10_000

const dataDir = await mkdtemp(path.join(os.tmpdir(), 'longreach-keys-'))
const server = await startPostgres({ dataDir })
const pool = new pg.Pool(server.connection)
pool.on('error', () => undefined) // the server ends before its last connections

const devices = Math.ceil(series / 32)
const idsOf = (store: TelemetryStore) =>
  Promise.all(
    Array.from({ length: series }, (_, n) =>
      store.seriesOf(
        'acme',
        `device-${n % devices}`,
        `Line:1/${Math.floor(n / devices)}`,
        'double',
      ),
    ),
  )

/** Values of few series at a time, so that each gets a chunk; one in 360 is of bad quality. */
async function fill(store: TelemetryStore, ids: number[], rounds: number) {
  for (let first = 0; first < rounds; first += inChunk)
    for (let from = 0; from < ids.length; from += 8) {
      const some = ids.slice(from, from + 8)
      const times = Array.from({ length: Math.min(inChunk, rounds - first) }, (_, n) => first + n)
      await store.append({
        series: some.flatMap((id) => times.map(() => id)),
        t: some.flatMap(() => times.map((round) => start + round * everyMs)),
        v: some.flatMap((id) => times.map((round) => ((id + round) * 7919) % 1000)),
        q: some.flatMap(() => times.map((round) => (round % 360 === 0 ? 1 : 0))),
      })
    }
  await store.sealNow()
}

type Times = { write: number[]; read: number[] }

/** Times in ms of writes and reads, one after the other each, until `done`. */
async function load(store: TelemetryStore, ids: number[], done: () => boolean): Promise<Times> {
  const times: Times = { write: [], read: [] }
  const timed = async (of: number[], work: () => Promise<unknown>) => {
    const begun = performance.now()
    await work()
    of.push(performance.now() - begun)
    await pause(2)
  }
  let t = start + 1e9
  const some = (count: number) =>
    Array.from({ length: count }, () => ids[Math.floor(Math.random() * ids.length)] ?? 0)
  const writing = async () => {
    while (!done()) {
      t += everyMs
      const to = some(500)
      await timed(times.write, () => store.append({ series: to, t: to.map(() => t), v: to }))
    }
  }
  const reading = async () => {
    while (!done()) {
      const range = { since: start, to: start + 4 * 3_600_000 }
      await timed(times.read, () => store.buckets(some(20), { ...range, width: 600_000 }))
      await timed(times.read, () => store.gradedHours(some(1)[0] ?? 0, { ...range, limit: 100 }))
      await timed(times.read, async () => {
        for await (const page of store.read(some(1)[0] ?? 0, range)) if (page.length === 0) break
      })
    }
  }
  await Promise.all([writing(), reading()])
  return times
}

/** Digest of every value there was, as charts of ten minutes, and of bad hours. */
async function answersOf(store: TelemetryStore, ids: number[]) {
  const hash = createHash('sha256')
  const range = { since: start, to: start + 24 * 3_600_000 }
  for (let from = 0; from < ids.length; from += 200) {
    const some = ids.slice(from, from + 200)
    hash.update(JSON.stringify(await store.buckets(some, { ...range, width: 600_000 })))
    hash.update(JSON.stringify(await store.gradedHours(some[0] ?? 0, { ...range, limit: 100 })))
    await pause(2)
  }
  return hash.digest('hex')
}

const at = (times: number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? Number.NaN
const told = (what: string, times: number[]) =>
  `${what}: ${times.length}, median ${at(times, 0.5).toFixed(1)} ms, p99 ${at(times, 0.99).toFixed(1)} ms, longest ${at(times, 1).toFixed(1)} ms`

const stepsOf = async () =>
  (
    await pool.query<{ name: string; step: string }>(
      `select name, step from telemetry.migration where step is not null`,
    )
  ).rows
const bytesOf = async () => {
  await pool.query('vacuum')
  const { rows } = await pool.query<{ bytes: number; chunks: number; hours: number }>(
    `select sum(pg_total_relation_size(oid))::float8 as bytes,
       (select count(*)::int from telemetry.chunk) as chunks,
       (select count(*)::int from telemetry.graded_hour) as hours
     from pg_class where relnamespace = 'telemetry'::regnamespace and relkind = 'r'`,
  )
  return rows[0] ?? { bytes: 0, chunks: 0, hours: 0 }
}

try {
  const first = await openTelemetry({ pool })
  const ids = await idsOf(first)
  await fill(first, ids, Math.round((millions * 1e6) / series))
  const until = performance.now() + quietMs
  const quiet = await load(first, ids, () => performance.now() > until)
  const answers = await answersOf(first, ids)
  await first.close()
  await makeEarlierKeys(pool)
  const before = await bytesOf()
  say(`${millions} million values, ${before.chunks} chunks, ${before.hours} graded hours`)

  const begun = performance.now()
  const store = await openTelemetry({ pool })
  const openMs = performance.now() - begun
  let done = false
  const watching = (async () => {
    for (let last = ''; !done;) {
      const steps = await stepsOf()
      const now = steps
        .map(({ name, step }) => `${name.slice('key of '.length)} ${step}`)
        .join(', ')
      if (now !== last) say(`${((performance.now() - begun) / 1000).toFixed(1)} s: ${now}`)
      last = now
      done = steps.every(({ step }) => step === 'done')
      await pause(100)
    }
  })()
  let [asked, other] = [0, 0]
  const comparing = (async () => {
    do {
      asked += 1
      if ((await answersOf(store, ids)) !== answers) other += 1
    } while (!done)
  })()
  const busy = await load(store, ids, () => done)
  await watching
  const tookMs = performance.now() - begun
  await comparing
  const isSame = (await answersOf(store, ids)) === answers
  await store.close()
  const after = await bytesOf()
  say(`opened in ${openMs.toFixed(0)} ms, all keys after ${(tookMs / 1000).toFixed(1)} s`)
  say(
    `all values asked ${asked} times meanwhile, ${other} answers differed; afterwards ${isSame ? 'the same' : 'another'} answer`,
  )
  if (other > 0 || !isSame) process.exitCode = 1
  say(told('writes without', quiet.write))
  say(told('writes meanwhile', busy.write))
  say(told('reads without', quiet.read))
  say(told('reads meanwhile', busy.read))
  say(
    `bytes ${(before.bytes / 1e6).toFixed(1)} MB before, ${(after.bytes / 1e6).toFixed(1)} MB after`,
  )
} finally {
  await pool.end()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
