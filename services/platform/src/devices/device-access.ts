import { canInSight } from '@longreach/authorization/device-visibility'
import type { Action } from '@longreach/authorization/permissions'
import { AppError, failure } from '@longreach/kit/errors'
import type { Admission, CallerCtx } from '@longreach/kit/service'
import { platformContract } from '../contract.ts'
import type { Device } from './device.ts'
import type { Directory } from './device-directory.ts'

/** The device, or 404 as for one that does not exist; 403 where it may be seen but not changed. */
export async function deviceFor(
  directory: Directory,
  admission: Admission & Pick<Partial<CallerCtx>, 'call'>,
  deviceId: string,
  action: Action = 'read',
): Promise<Device> {
  const device = await directory.get(deviceId)
  if (!device || !canInSight(admission, 'read', device)) {
    throw failure(platformContract, 'not_found', {
      message: `no device ${deviceId} here`,
      deviceId,
    })
  }
  if (!canInSight(admission, action, device)) {
    throw new AppError(403, 'auth.missing_permission', { permission: `devices:${action}` })
  }
  const { call } = admission
  // The line of a change names the device, as people know it.
  if (call) (call.about ??= new Map()).set(device.id, device.label)
  return device
}
