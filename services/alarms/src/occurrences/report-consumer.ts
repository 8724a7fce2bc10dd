import { publishAll } from '@longreach/kit/events'
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
  const commands = await unansweredCommands(tx, ids)
  const waiting = commandedBy(commands)
  for (const report of reports) {
    const device = devices.get(report.deviceId)
    if (!device) throw new Error(`there is no device ${report.deviceId}`)
    const commanded = waiting.get(reportedId(report)) ?? {}
    takeReport(edits, { device, report, commanded })
  }
  await noteShelves(tx, edits, deps.now())
  const publish = await writeEdits(tx, edits)
  // A command that waits goes out once the device has reported its alarm in the connection that it has now.
  const unsent = new Set(
    commands.flatMap(({ state, device_id }) => (state === 'WAITING' ? device_id : [])),
  )
  return async (into) => {
    await publish(into)
    await publishAll(
      into,
      occurrencesContract.events.commandWaiting,
      [...unsent].map((deviceId) => ({ deviceId })),
    )
  }
}

/** Commands about alarms that the devices have not answered. */
const unansweredCommands = (tx: Db, ids: readonly string[]) =>
  tx
    .selectFrom('command')
    .select(['occurrence', 'device_id', 'command', 'by_user', 'comment', 'state'])
    .where('occurrence', '=', sql<string>`any(${ids})`)
    .where('state', 'in', ['WAITING', 'SENT'])
    .execute()

type Unanswered = Awaited<ReturnType<typeof unansweredCommands>>

/** Commands that the devices have not answered, by the alarm. */
function commandedBy(commands: Unanswered): Map<string, Commanded> {
  const waiting = new Map<string, Commanded>()
  for (const { occurrence, command, by_user: by, comment } of commands)
    waiting.set(occurrence, { ...waiting.get(occurrence), [command]: { by, comment } })
  return waiting
}
