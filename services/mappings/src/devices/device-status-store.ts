import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { MappingsDb } from '../database.ts'
import type { deviceStateEvents } from './device-state-contract.ts'

type Connection = z.output<(typeof deviceStateEvents)['deviceConnection']['payload']>
type Configuration = z.output<(typeof deviceStateEvents)['configurationStatus']['payload']>
type AlarmCounts = z.output<(typeof deviceStateEvents)['alarmCounts']['payload']>
type Told = { deviceId: string; at: number }

/** The last of each device, as columns. */
function newestOf<T extends Told>(told: readonly T[]) {
  const newest = [...new Map(told.map((one) => [one.deviceId, one])).values()]
  return {
    newest,
    ids: newest.map(({ deviceId }) => deviceId),
    times: newest.map(({ at }) => new Date(at)),
  }
}

/** Sets the connections of devices in one statement: thousands may connect at once. */
export async function setConnections(tx: Kysely<MappingsDb>, told: readonly Connection[]) {
  const { newest, ids, times } = newestOf(told)
  await sql`update mappings.device set connected = told.connected, last_connection_at = told.at
    from unnest(${ids}::text[], ${newest.map(({ connected }) => connected)}::boolean[],
      ${times}::timestamptz[]) as told (id, connected, at)
    where device.id = told.id`.execute(tx)
}

/** Sets the states of the devices' configurations in one statement. */
export async function setConfigurations(tx: Kysely<MappingsDb>, told: readonly Configuration[]) {
  const { newest, ids, times } = newestOf(told)
  await sql`update mappings.device set configuration_sent = told.sent,
      configuration_applied = told.applied, configuration_error = told.error,
      last_configuration_at = told.at
    from unnest(${ids}::text[], ${newest.map(({ sent }) => sent)}::boolean[],
      ${newest.map(({ applied }) => applied)}::boolean[],
      ${newest.map(({ error }) => error)}::text[], ${times}::timestamptz[])
      as told (id, sent, applied, error, at)
    where device.id = told.id`.execute(tx)
}

/** Sets the attributes for the open alarms of devices in one statement; people cannot set these. */
export async function setAlarmCounts(tx: Kysely<MappingsDb>, told: readonly AlarmCounts[]) {
  const newest = [...new Map(told.map((one) => [one.deviceId, one])).values()]
  const values = newest.map(({ counts, max }) =>
    JSON.stringify({
      alarms: Object.fromEntries(counts.map((count, severity) => [`n_active_${severity}`, count])),
      ...(max >= 0 && { alarms_max_severity: max }),
    }),
  )
  await sql`update mappings.device
    set attributes = (device.attributes - 'alarms_max_severity') || told.attributes::jsonb
    from unnest(${newest.map(({ deviceId }) => deviceId)}::text[], ${values}::text[])
      as told (id, attributes)
    where device.id = told.id`.execute(tx)
}
