import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { PlatformDeps } from '../deps.ts'
import { baseOf } from '../devices/device.ts'
import { deviceFor } from '../devices/device-access.ts'
import type { DevicesState } from '../devices/devices-state.ts'
import { publishState } from '../devices/publish-state.ts'
import type { DeviceLines } from '../mqtt/device-lines.ts'
import type { controlContract } from './contract.ts'
import type { Configuring } from './device-configuring.ts'

type Known = DevicesState & { mqtt: DeviceLines; configuring: Configuring }
type Named = { params: { deviceId: string } }

/** Sends the configuration once more, and writes down whether the device is connected. */
export function syncHandlers(
  { directory, presence, mqtt, configuring }: Known,
  { db }: PlatformDeps,
): Handlers<typeof controlContract> {
  const syncStatus = async ({ params: { deviceId } }: Named, ctx: OrgCtx) => {
    const device = await deviceFor(directory, ctx, deviceId, 'update')
    await directory.refresh(device.id)
    const ip = mqtt.endpoint?.addressOf(baseOf(device))
    await presence.agree(device.id, ip)
    await configuring.configure(device)
    await publishState(db, device.id)
    return { connected: ip !== undefined }
  }
  return { syncStatus, syncStatusByGet: syncStatus }
}
