import { coreContract } from '@longreach/core/contract'
import { on } from '@longreach/kit/events'
import { mappingsContract } from '@longreach/mappings/contract'
import type { AlarmsDeps } from '../deps.ts'
import { fetchDevice } from '../devices/device-facts.ts'
import { devicesOf, saveDevices } from '../devices/device-store.ts'
import { deleteAlarmsOf, moveAlarms } from './device-alarms.ts'
import { lockDevices } from './occurrence-store.ts'

const { deviceMoved, deviceLife } = mappingsContract.events
type Tx = AlarmsDeps['db']

/** Consumers that move alarms with their device, and delete them with it or its organization. */
export const movedAlarmConsumers = (deps: AlarmsDeps) => [
  on(deviceMoved, async ({ deviceId, to }, tx: Tx) => {
    await lockDevices(tx, [deviceId])
    await moveAlarms(deps, tx, { deviceId, to })
    const device = await fetchDevice(deps, deviceId)
    if (device) await saveDevices(tx, [device])
  }),
  on(deviceLife, async ({ deviceId, state }, tx: Tx) => {
    if (state !== 'purged') return
    await lockDevices(tx, [deviceId])
    await deleteAlarmsOf(deps, tx, [deviceId])
  }),
  on(coreContract.events.organizationPurged, async ({ organizations }, tx: Tx) => {
    const orgs = organizations.map(({ resourceId }) => resourceId)
    const ids = await devicesOf(tx, orgs)
    await lockDevices(tx, ids)
    await deleteAlarmsOf(deps, tx, ids)
  }),
]
