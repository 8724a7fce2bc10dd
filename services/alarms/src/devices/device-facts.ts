import { AppError } from '@longreach/kit/errors'
import type { Kysely } from 'kysely'
import type { AlarmsDb } from '../database.ts'
import type { AlarmsDeps } from '../deps.ts'
import { type AlarmDevice, knownDevices, saveDevices } from './device-store.ts'

type Clients = Pick<AlarmsDeps, 'clients'>

/** Fault that passes: mappings did not answer. What waits for its answer is tried again. */
export class DevicesUnavailable extends Error {
  override name = 'DevicesUnavailable'
  constructor(cause: unknown) {
    super('mappings did not say what a device is', { cause })
  }
}

/** Facts of a device as mappings has them now; undefined for one that is not there. */
export async function fetchDevice(
  { clients }: Clients,
  deviceId: string,
): Promise<AlarmDevice | undefined> {
  try {
    const facts = await clients.mappings.deviceForPlatform({ params: { deviceId } })
    const { label, orgResourceId: org, groups } = facts
    return { device_id: deviceId, org, label, groups }
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return undefined
    throw new DevicesUnavailable(error)
  }
}

/** Devices by id; those that are not known here yet are fetched and written. */
export async function requireDevices(
  deps: Clients,
  tx: Kysely<AlarmsDb>,
  ids: Iterable<string>,
): Promise<Map<string, AlarmDevice>> {
  const asked = [...new Set(ids)]
  const known = new Map((await knownDevices(tx, asked)).map((one) => [one.device_id, one]))
  const unknown = asked.filter((id) => !known.has(id))
  const fetched = await Promise.all(unknown.map((id) => fetchDevice(deps, id)))
  const found = fetched.filter((one) => one !== undefined)
  await saveDevices(tx, found)
  for (const one of found) known.set(one.device_id, one)
  return known
}
