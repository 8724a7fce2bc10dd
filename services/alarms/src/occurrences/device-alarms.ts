import { publishAll } from '@longreach/kit/events'
import { type Kysely, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'
import type { AlarmsDeps } from '../deps.ts'
import { occurrencesContract } from './contract.ts'
import { Edits } from './edits.ts'
import { endedFlags, type Occurrence } from './occurrence.ts'
import { writeEdits } from './occurrence-store.ts'

type Db = Kysely<AlarmsDb>
type Deps = Pick<AlarmsDeps, 'now'>

/** Open alarms of devices, which are locked. */
async function openAlarms(tx: Db, deviceIds: readonly string[]): Promise<Occurrence[]> {
  const rows = await tx
    .selectFrom('occurrence')
    .selectAll()
    .where('device_id', '=', sql<string>`any(${deviceIds})`)
    .where('open', '=', true)
    .execute()
  return rows
}

/** Moves a device with its history; what is open ends in the organization that it leaves. */
export async function moveAlarms(
  { now }: Deps,
  tx: Db,
  { deviceId, to }: { deviceId: string; to: string },
) {
  const open = await openAlarms(tx, [deviceId])
  const edits = new Edits(open)
  const t = now().getTime()
  for (const row of open) {
    const returned = row.active ? { returned_t: new Date(t) } : {}
    edits.change(
      row,
      { ...endedFlags, ...returned },
      { kind: 'moved', t, heard: t, reason: 'moved' },
    )
  }
  const publish = await writeEdits(tx, edits)
  await moveRows(tx, deviceId, to)
  await publish(tx)
}

/** Deletes devices with their alarms, and announces the end of the open ones. */
export async function deleteAlarmsOf({ now }: Deps, tx: Db, deviceIds: readonly string[]) {
  if (deviceIds.length === 0) return
  const open = await openAlarms(tx, deviceIds)
  await deleteRows(tx, deviceIds)
  const at = now().getTime()
  const gone = open.map(({ id, device_id: deviceId, org: orgResourceId, severity, paths }) => ({
    id,
    paths,
    deviceId,
    orgResourceId,
    kind: 'purged' as const,
    severity,
    isOpen: false,
    at,
  }))
  await publishAll(tx, occurrencesContract.events.alarmsChanged, gone)
}

/** Gives the device and all its alarms, open ones and history, to another organization. */
async function moveRows(tx: Db, deviceId: string, org: string) {
  await tx.updateTable('device').set({ org }).where('device_id', '=', deviceId).execute()
  await tx.updateTable('occurrence').set({ org }).where('device_id', '=', deviceId).execute()
  await tx.updateTable('device_count').set({ org }).where('device_id', '=', deviceId).execute()
}

/** Deletes devices with all that is kept of their alarms. */
async function deleteRows(tx: Db, ids: readonly string[]) {
  const all = sql<string>`any(${ids})`
  await tx.deleteFrom('command').where('device_id', '=', all).execute()
  await tx.deleteFrom('occurrence').where('device_id', '=', all).execute()
  await tx.deleteFrom('device_count').where('device_id', '=', all).execute()
  await tx.deleteFrom('rule_override').where('device_id', '=', all).execute()
  await tx.deleteFrom('device').where('device_id', '=', all).execute()
}
