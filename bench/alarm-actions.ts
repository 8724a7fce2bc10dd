import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { everyAction } from '@longreach/authorization/capability'
import { migrated, openDatabase } from '@longreach/kit/database'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { createBus } from '@longreach/kit/events'
import { createJobRunner } from '../packages/kit/src/job-runner.ts'
import { createJobs } from '../packages/kit/src/job-store.ts'
import { createOwnProcess, createProcesses } from '@longreach/kit/own-process'
import Fastify from 'fastify'
import type { Kysely } from 'kysely'
import { actionJob, actOnAll } from '../services/alarms/src/actions/action-on-all.ts'
import type { AlarmsDb } from '../services/alarms/src/database.ts'
import type { AlarmsDeps } from '../services/alarms/src/deps.ts'
import { fillOccurrences, fillOpenAlarms } from './alarms/occurrences.ts'
import { argument, print, say } from './report.ts'

// npm run bench -- alarm-actions [--rows=10000] [--devices=1000] [--closed=100000] [--turns=3]
// Acknowledging all open alarms by one call, until its job has ended, beside one plain UPDATE of the same rows.
const rows = argument('rows', 10_000)
const devices = argument('devices', 1_000)
const closed = argument('closed', 100_000)
const turns = argument('turns', 3)
const org = 'bench'
const goalSeconds = 5

const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-bench-'))
const postgres = await startPostgres({ dataDir: folder })
const connection = { ...postgres.connection, max: 10 }
const { pool, db: whole, close } = openDatabase(connection, () => undefined) // it stops after the bench
await createBus(whole)
await createProcesses(whole)
await createJobs(whole)
const migrations = new URL('../services/alarms/src/migrations/', import.meta.url)
const db = (await migrated(whole, 'alarms', migrations)) as Kysely<AlarmsDb> // its own schema
const to = Date.now()
say(`writing ${closed} alarms that are over and ${rows} that are open`)
await fillOccurrences(pool, { rows: closed, devices, from: to - 30 * 86_400_000, to, org })
await fillOpenAlarms(pool, { rows, devices, org })

const capability = { grants: { alarms: everyAction, devices: everyAction }, deviceGroups: [] }
const caller = { kind: 'user', sub: 'ann', username: 'ann', realm: org } as const
const organization = { id: 1, name: org, label: org, realm: org, resourceId: org }
const admission = {
  capability,
  below: false,
  organization: { ...organization, dataEnabled: true, vpnEnabled: false },
}
const deps = { db } as AlarmsDeps // what actions read of them
const holder = createOwnProcess(pool)
const runner = createJobRunner({
  db: whole,
  service: 'alarms',
  kinds: [{ ...actionJob, run: (job) => actionJob.run(job, deps) }],
  admit: async () => admission,
  now: () => new Date(),
  log: Fastify().log,
  holder,
})

const secondsOf = async (work: () => Promise<unknown>) => {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1_000
}

/** Makes all alarms unacknowledged again. */
async function prepare() {
  await pool.query('truncate alarms.change, bus.event, bus.job cascade')
  await pool.query(
    `update alarms.occurrence set ack_required = true, acked_t = null, acked_by = null, changes = 1 where active`,
  )
  await pool.query('vacuum analyze alarms.occurrence')
}

async function acknowledgeAll() {
  const ctx = { ...admission, caller, subtree: false, now: new Date(), ip: '' } as never // what the call reads
  const body = { applyOnlyToVisibleValue: false, comment: 'shift' }
  const { jobId } = await actOnAll(deps, 'ack')({ body }, ctx)
  if (jobId !== null) await runner.settle()
}

async function check() {
  const counted = await pool.query<{ left: number; changes: number; audited: number }>(
    `select (select count(*)::int from alarms.occurrence where open and ack_required) as left,
      (select count(*)::int from alarms.change) as changes,
      (select count(*)::int from bus.event where topic = 'audit.recorded') as audited`,
  )
  const [found] = counted.rows
  if (found?.left !== 0 || found.changes !== rows || found.audited !== rows)
    throw new Error(`not every alarm was acknowledged once: ${JSON.stringify(found)}`)
}

const ours: number[] = []
const plain: number[] = []
for (let turn = 0; turn < turns; turn += 1) {
  await prepare()
  ours.push(await secondsOf(acknowledgeAll))
  await check()
  await prepare()
  plain.push(
    await secondsOf(() =>
      pool.query(
        `update alarms.occurrence set ack_required = false, acked_t = now(), acked_by = 'ann', updated_t = now(),
          action = 'ACK', comment = 'shift', changes = changes + 1 where open and ack_required`,
      ),
    ),
  )
}
await runner.close()
await holder.close()
await close()
await postgres.stop()
await rm(folder, { recursive: true, force: true })
const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0
say(`turns: ${ours.map((one) => one.toFixed(2)).join(', ')} s`)
print(`${rows} open alarms of ${devices} devices, beside ${closed} that are over`, [
  {
    what: 'acknowledge all, with history, audit entry and events of each',
    unit: 's',
    ours: median(ours),
    peers: { limit: goalSeconds, 'plain UPDATE': median(plain) },
    better: 'less',
    goal: `${goalSeconds} s`,
  },
])
