import { isDeepStrictEqual } from 'node:util'
import type { ColumnType, Kysely, Selectable } from 'kysely'
import {
  type ConfigurationDb,
  deleteConfigurations,
  moveConfigurations,
} from './configuration-history.ts'
import { deleteLog, type LogDb, moveLog } from './device-log-store.ts'
import { deleteMoments, moveMoments } from '../moments/moment-store.ts'

type DeviceStateTable = {
  device_id: string
  org: string
  realm: string
  label: string
  groups: number[]
  registered_at: Date
  connected: boolean
  connected_at: Date | null
  disconnected_at: Date | null
  last_ip: string | null
  introspection: string
  available_tags: unknown
  reported_configuration: string | null
  configuration_sent_at: Date | null
  configuration_applied: boolean
  configuration_error: string | null
  received_messages: number
  received_bytes: number
  refused_messages: number
  /** In the trash: in no list. */
  deleted: ColumnType<boolean, boolean | undefined>
  /** Time of its last message, rounded to the interval in which messages are counted. */
  last_message_at: ColumnType<Date | null, Date | null | undefined>
}
type ConnectionEventTable = {
  device_id: string
  at: Date
  connected: boolean
  org: string
  ip: string | null
}
export type PlatformDb = ConfigurationDb &
  LogDb & {
    device_state: DeviceStateTable
    connection_event: ConnectionEventTable
  }
export type DeviceState = Selectable<DeviceStateTable>

type Facts = { id: string; org: string; realm: string; label: string; groups: number[] }

/**
 * Write down who the device is; what is known of its state stays. Nothing is written when that is known: it is
 * done at every connection.
 */
export async function saveDevice(db: Kysely<PlatformDb>, device: Facts, now: Date) {
  const { id, org, realm, label, groups } = device
  const facts = { org, realm, label, groups }
  const known = await db
    .selectFrom('device_state')
    .select(['org', 'realm', 'label', 'groups'])
    .where('device_id', '=', id)
    .executeTakeFirst()
  if (isDeepStrictEqual(known, facts)) return
  await db
    .insertInto('device_state')
    .values({ device_id: id, ...facts, ...firstState, registered_at: now })
    .onConflict((conflict) => conflict.column('device_id').doUpdateSet(facts))
    .execute()
}

/** Interfaces that a device says it has; it says so at every connection, and mostly the same. */
export const saveIntrospection = (
  db: Kysely<PlatformDb>,
  deviceId: string,
  introspection: string,
) =>
  db
    .updateTable('device_state')
    .set({ introspection })
    .where('device_id', '=', deviceId)
    .where('introspection', '!=', introspection)
    .execute()

const firstState = {
  connected: false,
  connected_at: null,
  disconnected_at: null,
  last_ip: null,
  introspection: '',
  available_tags: null,
  reported_configuration: null,
  configuration_sent_at: null,
  configuration_applied: false,
  configuration_error: null,
  received_messages: 0,
  received_bytes: 0,
  refused_messages: 0,
}

export const updateState = (
  db: Kysely<PlatformDb>,
  deviceId: string,
  change: Partial<Omit<DeviceState, 'device_id'>>,
) => db.updateTable('device_state').set(change).where('device_id', '=', deviceId).execute()

/** The device went into the trash, or came back from it. */
export async function setDeleted(db: Kysely<PlatformDb>, deviceId: string, deleted: boolean) {
  await updateState(db, deviceId, { deleted })
}

export const findState = (db: Kysely<PlatformDb>, deviceId: string) =>
  db.selectFrom('device_state').selectAll().where('device_id', '=', deviceId).executeTakeFirst()

export const deleteState = async (db: Kysely<PlatformDb>, deviceId: string) => {
  await db.deleteFrom('device_state').where('device_id', '=', deviceId).execute()
  await db.deleteFrom('connection_event').where('device_id', '=', deviceId).execute()
  await deleteMoments(db, deviceId)
  await deleteConfigurations(db, deviceId)
  await deleteLog(db, deviceId)
}

type HistoryRange = { since: Date | undefined; to: Date | undefined; limit: number }

/** The newest `limit` connection events in the range, oldest first. */
export async function connectionHistory(
  db: Kysely<PlatformDb>,
  deviceId: string,
  { since, to, limit }: HistoryRange,
) {
  let query = db
    .selectFrom('connection_event')
    .select(['at', 'connected', 'ip'])
    .where('device_id', '=', deviceId)
  if (since) query = query.where('at', '>=', since)
  if (to) query = query.where('at', '<', to)
  const rows = await query.orderBy('at', 'desc').limit(limit).execute()
  return rows.toReversed()
}

/**
 * Moves the state and the connections of a device to another organization. Comments and the time-line
 * are notes of the people before: they stay out of sight unless they are moved too.
 */
export async function moveState(
  db: Kysely<PlatformDb>,
  deviceId: string,
  { org, notes }: { org: string; notes: boolean },
) {
  await db.updateTable('device_state').set({ org }).where('device_id', '=', deviceId).execute()
  await db.updateTable('connection_event').set({ org }).where('device_id', '=', deviceId).execute()
  if (notes) await moveMoments(db, deviceId, org)
  await moveConfigurations(db, deviceId, org)
  await moveLog(db, deviceId, org)
}
