import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { openDatabase } from '@longreach/kit/database'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { createBus, deliver, on, publish, publishAll } from '@longreach/kit/events'
import { z } from 'zod'
import { argument, print, say } from './report.ts'

// npm run bench -- events [--seconds=2] [--connections=16] [--rounds=3]
// Transactions that publish one event of one of 1,000 devices each, against plain inserts of the same row into
// an equal table without triggers, in turn on the same PostgreSQL. Then transactions that insert such a row and
// publish an event, against the same insert alone in a transaction, and the events that one service consumes.
const seconds = argument('seconds', 2)
const connections = argument('connections', 16)
const rounds = argument('rounds', 3)
const delivered = 20_000

const changed = {
  topic: 'bench.changed',
  payload: z.object({ deviceId: z.string(), label: z.string() }),
  lane: ({ deviceId }: { deviceId: string }) => deviceId,
} as const
const valueOf = (n: number) => ({ deviceId: `device-${(n * 7919) % 1_000}`, label: 'x'.repeat(60) })

const dataDir = await mkdtemp(path.join(os.tmpdir(), 'longreach-bench-'))
const server = await startPostgres({ dataDir })
const database = openDatabase({ ...server.connection, max: connections }, () => undefined) // ends with the server below
const { db, pool } = database

/** Transactions a second over all connections. */
async function rateOf(transaction: (n: number) => Promise<unknown>) {
  const begun = performance.now()
  let done = 0
  const connection = async () => {
    while (performance.now() - begun < seconds * 1_000) {
      done += 1
      await transaction(done)
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  return (done / (performance.now() - begun)) * 1_000
}

async function deliveryRate() {
  await pool.query('truncate bus.event, bus.cursor')
  for (let from = 0; from < delivered; from += 1_000) {
    await publishAll(
      db,
      changed,
      Array.from({ length: 1_000 }, (_, n) => valueOf(from + n)),
    )
  }
  await pool.query('analyze bus.event')
  let seen = 0
  const begun = performance.now()
  await deliver(db, 'bench', [on(changed, async () => void (seen += 1))])
  if (seen !== delivered) throw new Error(`${seen} of ${delivered} events were delivered`)
  return (delivered / (performance.now() - begun)) * 1_000
}

const middle = (all: readonly number[]) =>
  all.toSorted((one, other) => one - other)[all.length >> 1] ?? 0

try {
  await createBus(db)
  await pool.query(
    'create table public.plain (like bus.event including defaults including indexes)',
  )
  const tables = db.withTables<{ plain: { topic: string; payload: string } }>()
  const insert = (n: number, into: Pick<typeof tables, 'insertInto'> = tables) =>
    into
      .insertInto('plain')
      .values({ topic: changed.topic, payload: JSON.stringify(valueOf(n)) })
      .execute()
  const measured = {
    event: (n: number) => publish(db, changed, valueOf(n)),
    insert: (n: number) => insert(n),
    changeWithEvent: (n: number) =>
      tables.transaction().execute(async (tx) => {
        await insert(n, tx)
        await publish(tx, changed, valueOf(n))
      }),
    change: (n: number) => tables.transaction().execute((tx) => insert(n, tx)),
  }
  for (const transaction of Object.values(measured)) await rateOf(transaction)
  say('warmed up')
  const taken: Record<keyof typeof measured | 'delivery', number>[] = []
  for (let round = 0; round < rounds; round += 1) {
    taken.push({
      event: await rateOf(measured.event),
      insert: await rateOf(measured.insert),
      changeWithEvent: await rateOf(measured.changeWithEvent),
      change: await rateOf(measured.change),
      delivery: await deliveryRate(),
    })
  }
  print(`Events, ${connections} connections, medians of ${rounds} turns`, [
    {
      what: 'inserts of an event',
      unit: '/s',
      ours: middle(taken.map(({ event }) => event)),
      peers: { 'without an event': middle(taken.map(({ insert }) => insert)) },
      better: 'more',
      goal: '0.6×',
    },
    {
      what: 'transactions with an insert and an event',
      unit: '/s',
      ours: middle(taken.map(({ changeWithEvent }) => changeWithEvent)),
      peers: { 'without an event': middle(taken.map(({ change }) => change)) },
      better: 'more',
    },
    {
      what: 'events delivered to one service',
      unit: '/s',
      ours: middle(taken.map(({ delivery }) => delivery)),
      peers: {},
      better: 'more',
    },
  ])
} finally {
  await database.close()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
