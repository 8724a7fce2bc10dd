import { pathReach } from '@longreach/authorization/can-path'
import { AppError, failure } from '@longreach/kit/errors'
import type { Admission } from '@longreach/kit/service'
import { platformContract } from '../contract.ts'
import type { Device } from '../devices/device.ts'
import { onPathOrStruct, pathTest, valueAccess } from '../devices/path-access.ts'

/**
 * Refuse to write a path that the caller may not write. One that they do not even see is answered
 * as one that does not exist.
 */
export function requireWritable(admission: Admission, device: Device, path: string) {
  if (onPathOrStruct(pathTest(admission, 'write', device), path)) return
  if (pathReach(admission.capability, 'write', device.groups) === 'none') {
    throw new AppError(403, 'auth.missing_permission', { permission: 'devices:update' })
  }
  if (!onPathOrStruct(valueAccess(admission, device).last, path)) {
    throw failure(platformContract, 'no_such_path', {
      message: `the device's configuration has no path ${path}`,
      field: path,
    })
  }
  throw failure(platformContract, 'path_not_allowed', {
    message: `you may read ${path}, and not write it; ask an administrator`,
    field: path,
  })
}

type Written = { modelPath: string; value?: unknown; t?: number }

/** Results of a write, without values of paths that the caller may write and not see. */
export function withoutUnreadable<T extends Written>(
  admission: Admission,
  device: Device,
  written: readonly T[],
): T[] {
  const { last } = valueAccess(admission, device)
  return written.map((one) => {
    if (onPathOrStruct(last, one.modelPath)) return one
    const { value: _, t: __, ...rest } = one
    return rest as T
  })
}
