import { type Consumer, on } from '@longreach/kit/events'
import { mappingsContract } from '@longreach/mappings/contract'
import { forgetAgent, forgetCommands } from '../agents/agent-store.ts'
import { deleteState, moveState, saveDevice, setDeleted } from '../devices/device-state-store.ts'
import { forgetDevice, saveImportedKey } from '../pairing/pairing-handlers.ts'
import { moveKeys } from '../pairing/pairing-store.ts'
import { saveChangedConfiguration } from '../control/device-configuring.ts'
import type { ServiceDb } from '../database.ts'
import { deleteLinesOf } from '../lines/line-store.ts'
import type { PlatformDeps } from '../deps.ts'
import type { DevicesState } from '../devices/devices-state.ts'
import type { OpenTelemetry } from '../telemetry/open-telemetry.ts'
import { deleteBacksOf } from '../writes/write-back-store.ts'
import { deleteRequestsOf } from '../writes/write-request-store.ts'

type States = Pick<DevicesState, 'directory'> & { telemetry: OpenTelemetry }

/** Changes of devices: the rows of their state, values, keys and commands follow. */
export const deviceConsumers = (
  { directory, telemetry }: States,
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
    // Who had the machine keeps neither its key nor its certificates, nor the line they opened.
    else await forgetDevice(tx, deviceId, now())
    await forgetCommands(tx, deviceId)
    const device = await directory.refresh(deviceId)
    if (device) await saveDevice(tx, device, now())
  }),
  on(mappingsContract.events.deviceChanged, async ({ deviceId, configurationChanged, by }, tx) => {
    const device = await directory.refresh(deviceId)
    if (!device) return
    await saveDevice(tx, device, now())
    if (configurationChanged) await saveChangedConfiguration(tx, device, { at: now(), by })
  }),
  on(mappingsContract.events.deviceLife, async ({ deviceId, state }, tx) => {
    if (state === 'restored') {
      const device = await directory.refresh(deviceId)
      if (device) await saveDevice(tx, device, now())
      return setDeleted(tx, deviceId, false)
    }
    if (state === 'deleted') return setDeleted(tx, deviceId, true)
    await deleteState(tx, deviceId)
    await deleteLinesOf(tx, deviceId)
    await deleteRequestsOf(tx, deviceId)
    await deleteBacksOf(tx, deviceId)
    await forgetDevice(tx, deviceId, now())
    await forgetAgent(tx, deviceId)
    await (await telemetry()).forget(deviceId)
  }),
]

const isInside = (org: string, of: string) => org === of || org.startsWith(`${of}.`)
