import { type Kysely, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'
import type { AlarmsDeps } from '../deps.ts'
import { requireDevices } from '../devices/device-facts.ts'
import { carefully } from './careful-consumer.ts'
import { type AlarmReport, occurrencesContract } from './contract.ts'
import { type Commanded, reportedId, takeReport } from './device-reports.ts'
import { Edits } from './edits.ts'
import { sourceOfName } from './occurrence.ts'
import { lockDevices, type Publish, readOccurrences, writeEdits } from './occurrence-store.ts'
import { keepShelves, noteShelves } from './shelf-cover.ts'
import { readTakenChanges } from './taken-changes.ts'

type Db = Kysely<AlarmsDb>

/** Consumer of what devices report of their own alarms. */
export const reportConsumer = (deps: AlarmsDeps) =>
  carefully(deps, occurrencesContract.events.alarmReported, (reports, tx) =>
    takeReports(deps, reports.map(withWholeMs), tx),
  )

/** Report with its times in whole milliseconds, which the database keeps: a device may send fractions. */
const withWholeMs = (report: AlarmReport): AlarmReport => ({
  ...report,
  startedAt: Math.trunc(report.startedAt),
  changedAt: Math.trunc(report.changedAt),
  heardAt: Math.trunc(report.heardAt),
})

async function takeReports(
  deps: AlarmsDeps,
  reports: readonly AlarmReport[],
  tx: Db,
): Promise<Publish> {
  const deviceIds = reports.map(({ deviceId }) => deviceId)
  await keepShelves(tx)
  await lockDevices(tx, deviceIds)
  const devices = await requireDevices(deps, tx, deviceIds)
  const ids = reports.map(reportedId)
  const sources = reports.map(({ deviceId, name }) => ({ deviceId, source: sourceOfName(name) }))
  const rows = await readOccurrences(tx, { ids, sources })
  const times = reports.map(({ changedAt }) => changedAt)
  const edits = new Edits(rows, await readTakenChanges(tx, rows, times))
  const waiting = await commandedBy(tx, ids)
  for (const report of reports) {
    const device = devices.get(report.deviceId)
    if (!device) throw new Error(`there is no device ${report.deviceId}`)
    const commanded = waiting.get(reportedId(report)) ?? {}
    takeReport(edits, { device, report, commanded })
  }
  await noteShelves(tx, edits, deps.now())
  return writeEdits(tx, edits)
}

/** People whose commands the devices have not answered, by the alarm. */
async function commandedBy(tx: Db, ids: readonly string[]): Promise<Map<string, Commanded>> {
  const rows = await tx
    .selectFrom('command')
    .select(['occurrence', 'command', 'by_user'])
    .where('occurrence', '=', sql<string>`any(${ids})`)
    .where('state', 'in', ['WAITING', 'SENT'])
    .execute()
  const waiting = new Map<string, Commanded>()
  for (const { occurrence, command, by_user } of rows)
    waiting.set(occurrence, { ...waiting.get(occurrence), [command]: by_user })
  return waiting
}
