import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { everyAction } from '@longreach/authorization/capability'
import { migrated, openDatabase } from '@longreach/kit/database'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { createBus } from '@longreach/kit/events'
import type { Kysely } from 'kysely'
import type { AlarmsDb } from '../services/alarms/src/database.ts'
import { report } from '../services/alarms/src/report/report-handlers.ts'
import { fillOccurrences } from './alarms/occurrences.ts'
import { argument, medianMs, print, say } from './report.ts'

// npm run bench -- alarm-report [--rows=1000000] [--devices=1000] [--times=5]
// The report on a month: of occurrences that a year has, and of as many in the month alone.
const rows = argument('rows', 1_000_000)
const devices = argument('devices', 1_000)
const times = argument('times', 5)
const org = 'bench'
const dayMs = 86_400_000
const to = Date.now()
const goalMs = 2_000

async function measure(days: number) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-bench-'))
  const postgres = await startPostgres({ dataDir: folder })
  const connection = { ...postgres.connection, max: 10 }
  const { pool, db: whole, close } = openDatabase(connection, () => undefined) // it stops after the bench
  try {
    await createBus(whole)
    const migrations = new URL('../services/alarms/src/migrations/', import.meta.url)
    const db = (await migrated(whole, 'alarms', migrations)) as Kysely<AlarmsDb> // its own schema
    say(`writing ${rows} occurrences of ${days} days`)
    await fillOccurrences(pool, { rows, devices, from: to - days * dayMs, to, org })
    const ctx = {
      capability: { grants: { alarms: everyAction, devices: everyAction }, deviceGroups: [] },
      organization: { resourceId: org },
      subtree: false,
      below: false,
      now: new Date(to),
    } as never // what a report reads of a call
    const ask = (span: number) =>
      report({ db })(
        {
          query: {
            from: to - span * dayMs,
            to,
            shifts: ['06:00', '14:00', '22:00'],
            zone: 'Europe/Berlin',
          },
        },
        ctx,
      )
    const { alarms } = (await ask(30)).whole
    const ofMonth = await medianMs(times, () => ask(30))
    const ofDay = await medianMs(times, () => ask(1))
    return { alarms, ofMonth, ofDay }
  } finally {
    await close()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const year = await measure(365)
const month = await measure(30)
const line = (what: string, ms: number) => ({
  what,
  unit: 'ms',
  ours: ms,
  peers: { limit: goalMs },
  better: 'less' as const,
  goal: '2,000 ms',
})
print(`${rows} occurrences of ${devices} devices`, [
  line(`month with ${year.alarms} of them, in a year`, year.ofMonth),
  line('its last day', year.ofDay),
  line(`month with all ${month.alarms} of them`, month.ofMonth),
  line('its last day', month.ofDay),
])
