import { coreContract } from '@longreach/core/contract'
import { type Effect, everywhere } from '@longreach/kit/everywhere'
import { mappingsContract } from '@longreach/mappings/contract'
import { platformContract } from '../contract.ts'
import type { Configuring } from '../control/device-configuring.ts'
import { baseOf } from '../devices/device.ts'
import type { DevicesState } from '../devices/devices-state.ts'
import type { LiveHub } from '../live/live-hub.ts'
import type { DeviceLines } from '../mqtt/device-lines.ts'
import type { ClosedOrganizations } from '../organizations/closed-organizations.ts'

type States = Pick<DevicesState, 'directory'> & {
  configuring: Configuring
  lines: DeviceLines
  hub: LiveHub
  closedOrganizations: ClosedOrganizations
}

/**
 * Effects of changed devices, keys and organizations in each process: it brings its memory up to date, ends
 * connections that may not stay, and sends new configurations to devices that are connected to it.
 */
export const deviceEffects = ({
  directory,
  configuring,
  lines,
  hub,
  closedOrganizations,
}: States): Effect[] => [
  everywhere(mappingsContract.events.deviceMoved, async ({ deviceId }) => {
    await refreshKnown(directory, deviceId)
    hub.recheckDevice(deviceId)
  }),
  everywhere(mappingsContract.events.deviceChanged, async ({ deviceId }) => {
    await refreshKnown(directory, deviceId)
    hub.recheckDevice(deviceId)
  }),
  everywhere(mappingsContract.events.deviceLife, async ({ deviceId, state }) => {
    if (state === 'restored') return
    directory.drop(deviceId)
    // By its id: a change heard a moment before may have found it gone already, and the directory forgot it.
    lines.endpoint?.disconnectDevice(deviceId)
    hub.recheckDevice(deviceId)
  }),
  everywhere(platformContract.events.configurationChanged, async ({ deviceId }) => {
    const device = directory.known(deviceId)
    if (device) await configuring.sendChanged(device)
  }),
  everywhere(platformContract.events.credentialsRevoked, ({ deviceId }) =>
    lines.endpoint?.disconnectDevice(deviceId),
  ),
  everywhere(platformContract.events.authorityRotated, () => lines.renew?.()),
  // The part of organizations has heard it before.
  everywhere(coreContract.events.organizationDeleted, () => {
    const devices = [...directory.all()].filter(({ org }) => closedOrganizations.has(org))
    lines.endpoint?.disconnect(new Set(devices.map(baseOf)))
  }),
]

/** Brings a device up to date that this process has met; of any other it has nothing that could be old. */
async function refreshKnown({ known, refresh }: DevicesState['directory'], deviceId: string) {
  if (known(deviceId)) await refresh(deviceId)
}
