import { isOpenBelow } from '@longreach/authorization/admission'
import { canDevice } from '@longreach/authorization/can'
import type { Action } from '@longreach/authorization/permissions'
import { AppError, failure } from '@longreach/kit/errors'
import type { Admission, CallerCtx } from '@longreach/kit/service'
import { platformContract } from '../contract.ts'
import type { Device } from './device.ts'
import type { Directory } from './device-directory.ts'

type Owned = Pick<Device, 'org' | 'groups'>

/** The organization itself, or one below it where the caller's rights reach down. */
export const isInside = (admission: Admission, org: string) =>
  org === admission.organization.resourceId || (admission.below && isOpenBelow(admission, org))

type Rights = Pick<Admission, 'capability' | 'capabilityBelow'> & {
  organization: Pick<Admission['organization'], 'resourceId'>
}

/** What counts on a device: in an organization below, only what reaches down. */
export const rightsOn = ({ organization, capability, capabilityBelow }: Rights, org: string) =>
  org === organization.resourceId ? capability : (capabilityBelow ?? capability)

/** May who was admitted do this to the device? */
export const may = (admission: Admission, action: Action, { org, groups }: Owned) =>
  isInside(admission, org) && canDevice(rightsOn(admission, org), action, groups)

/** The device, or 404 as for one that does not exist; 403 where it may be seen but not changed. */
export async function deviceFor(
  directory: Directory,
  admission: Admission & Pick<Partial<CallerCtx>, 'call'>,
  deviceId: string,
  action: Action = 'read',
): Promise<Device> {
  const device = await directory.get(deviceId)
  if (!device || !may(admission, 'read', device)) {
    throw failure(platformContract, 'not_found', {
      message: `no device ${deviceId} here`,
      deviceId,
    })
  }
  if (!may(admission, action, device)) {
    throw new AppError(403, 'auth.missing_permission', { permission: `devices:${action}` })
  }
  const { call } = admission
  // The line of a change names the device, as people know it.
  if (call) (call.about ??= new Map()).set(device.id, device.label)
  return device
}
