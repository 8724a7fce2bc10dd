import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { PlatformDeps } from '../deps.ts'
import { askerOf } from '../devices/asker.ts'
import { deviceFor } from '../devices/device-access.ts'
import type { DevicesState } from '../devices/devices-state.ts'
import { publishState } from '../devices/publish-state.ts'
import { agreeWithLines } from '../lines/line-store.ts'
import type { OwnLines } from '../lines/own-lines.ts'
import type { controlContract } from './contract.ts'
import { configureAgain } from './node-configure.ts'
import type { Configuring } from './device-configuring.ts'

type Known = DevicesState & { lines: OwnLines; configuring: Configuring }
type Named = { params: { deviceId: string } }

/** Sends the configuration once more, and writes down whether the device is connected. */
export function syncHandlers(
  { directory, lines, configuring }: Known,
  deps: PlatformDeps,
): Handlers<typeof controlContract> {
  const { db, now } = deps
  const syncStatus = async ({ params: { deviceId } }: Named, ctx: OrgCtx) => {
    const device = await deviceFor(directory, ctx, deviceId, 'update')
    await directory.refresh(device.id)
    await lines.written()
    const line = await agreeWithLines(db, device.id, now())
    await configureAgain(configuring, deps, { asker: askerOf(ctx), device })
    await publishState(db, device.id)
    return { connected: line !== undefined }
  }
  return { syncStatus, syncStatusByGet: syncStatus }
}
