import { AppError } from '@longreach/kit/errors'

/** Error of a device that is not there, or not in the organization that is named. */
export const alarmsFailure = (deviceId: string) =>
  new AppError(404, 'not_found', { message: `There is no device ${deviceId} here` })
