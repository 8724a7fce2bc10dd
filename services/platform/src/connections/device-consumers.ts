import { coreContract } from '@longreach/core/contract'
import { type Consumer, on } from '@longreach/kit/events'
import { mappingsContract } from '@longreach/mappings/contract'
import { platformContract } from '../contract.ts'
import { forgetAgent, forgetCommands } from '../agents/agent-store.ts'
import { baseOf, type Device } from '../devices/device.ts'
import { deleteState, moveState, saveDevice, setDeleted } from '../devices/device-state-store.ts'
import { forgetDevice, saveImportedKey } from '../pairing/pairing-handlers.ts'
import { moveKeys } from '../pairing/pairing-store.ts'
import type { Configuring } from '../control/device-configuring.ts'
import type { ServiceDb } from '../database.ts'
import type { PlatformDeps } from '../deps.ts'
import type { DevicesState } from '../devices/devices-state.ts'
import type { LiveHub } from '../live/live-hub.ts'
import type { DeviceLines } from '../mqtt/device-lines.ts'
import type { ClosedOrganizations } from '../organizations/closed-organizations.ts'
import type { OpenTelemetry } from '../telemetry/open-telemetry.ts'
import { deleteRequestsOf } from '../writes/write-request-store.ts'

type States = DevicesState & {
  telemetry: OpenTelemetry
  configuring: Configuring
  lines: DeviceLines
  hub: LiveHub
  closedOrganizations: ClosedOrganizations
}

/** Changes of devices and certificates: the device's state, values and connection follow. */
export const deviceConsumers = (
  { directory, configuring, telemetry, lines, hub, closedOrganizations }: States,
  { now }: PlatformDeps,
): Consumer<ServiceDb>[] => [
  on(mappingsContract.events.deviceCreated, async ({ deviceId }, tx) => {
    const device = await directory.refresh(deviceId)
    if (device) await saveDevice(tx, device, now())
  }),
  on(mappingsContract.events.activationKeyMade, async (key, tx) => {
    // One that moved or was deleted meanwhile has lost the right to it.
    const device = await directory.get(key.deviceId)
    if (device?.org === key.orgResourceId) await saveImportedKey(tx, key)
  }),
  on(mappingsContract.events.deviceMoved, async ({ deviceId, from, to, notes }, tx) => {
    await (await telemetry()).move(deviceId, from, to)
    await moveState(tx, deviceId, { org: to, notes })
    if (isInside(to, from)) await moveKeys(tx, deviceId, to)
    else {
      // Who had the machine keeps neither its key nor its certificates, nor the line they opened.
      await forgetDevice(tx, deviceId, now())
      lines.endpoint?.disconnectDevice(deviceId)
    }
    await forgetCommands(tx, deviceId)
    const device = await directory.refresh(deviceId)
    if (device) await saveDevice(tx, device, now())
    hub.recheckDevice(deviceId)
  }),
  on(mappingsContract.events.deviceChanged, async ({ deviceId, configurationChanged, by }, tx) => {
    const device = await directory.refresh(deviceId)
    if (!device) return
    await saveDevice(tx, device, now())
    if (configurationChanged) await configuring.reconfigure(device, tx, by)
    hub.recheckDevice(deviceId)
  }),
  on(mappingsContract.events.deviceLife, async ({ deviceId, state }, tx) => {
    if (state === 'restored') {
      const device = await directory.refresh(deviceId)
      if (device) await saveDevice(tx, device, now())
      return setDeleted(tx, deviceId, false)
    }
    directory.drop(deviceId)
    // By its id: a change heard a moment before may have found it gone already, and the directory forgot it.
    lines.endpoint?.disconnectDevice(deviceId)
    hub.recheckDevice(deviceId)
    if (state === 'deleted') return setDeleted(tx, deviceId, true)
    await deleteState(tx, deviceId)
    await deleteRequestsOf(tx, deviceId)
    await forgetDevice(tx, deviceId, now())
    await forgetAgent(tx, deviceId)
    await (await telemetry()).forget(deviceId)
  }),
  on(platformContract.events.credentialsRevoked, async ({ deviceId }) => {
    const device = directory.known(deviceId)
    if (device) disconnectDevices(lines, [device])
  }),
  on(platformContract.events.authorityRotated, async () => lines.renew?.()),
  // The part of organizations has heard it before.
  on(coreContract.events.organizationDeleted, async () => {
    const devices = [...directory.all()].filter(({ org }) => closedOrganizations.has(org))
    disconnectDevices(lines, devices)
  }),
]

const isInside = (org: string, of: string) => org === of || org.startsWith(`${of}.`)

const disconnectDevices = ({ endpoint }: DeviceLines, devices: readonly Device[]) =>
  endpoint?.disconnect(new Set(devices.map(baseOf)))
