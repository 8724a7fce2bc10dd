import { on } from '@longreach/kit/events'
import { mappingsContract } from '@longreach/mappings/contract'
import type { AlarmsDeps } from '../deps.ts'
import { fetchDevice } from './device-facts.ts'
import { saveDevices, setDeleted } from './device-store.ts'

const { deviceCreated, deviceChanged, deviceLife } = mappingsContract.events

/** Consumers of the facts of devices. Those of their alarms are in `occurrences`. */
export const deviceConsumers = (deps: AlarmsDeps) => [
  on(deviceCreated, async ({ deviceId }, tx: Tx) =>
    saveDevices(tx, await presentFacts(deps, deviceId)),
  ),
  on(deviceChanged, async ({ deviceId }, tx: Tx) =>
    saveDevices(tx, await presentFacts(deps, deviceId)),
  ),
  on(deviceLife, async ({ deviceId, state }, tx: Tx) => {
    if (state === 'purged') return
    if (state === 'restored') await saveDevices(tx, await presentFacts(deps, deviceId))
    await setDeleted(tx, deviceId, state === 'deleted')
  }),
]

type Tx = AlarmsDeps['db']

/** Facts of a device; none when it is gone, as its deletion is told by itself. */
async function presentFacts(deps: AlarmsDeps, deviceId: string) {
  const device = await fetchDevice(deps, deviceId)
  return device ? [device] : []
}
