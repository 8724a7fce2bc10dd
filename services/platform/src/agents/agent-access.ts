import { AppError } from '@longreach/kit/errors'
import type { Admission } from '@longreach/kit/service'
import type { Device } from '../devices/device.ts'
import { seesAllPaths, writesAllPaths } from '../devices/path-access.ts'

/** Sources define every path of the device: a caller needs the right to see and write all of them. */
export function requireAllPaths(admission: Admission, device: Device) {
  const held = seesAllPaths(admission, device) && writesAllPaths(admission, device)
  if (!held) throw new AppError(403, 'auth.missing_permission', { permission: 'devices:update' })
}
