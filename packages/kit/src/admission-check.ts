import type { Admission } from '@longreach/authorization/admission'
import { AppError } from './errors.ts'
import { isAmong } from './network-of.ts'
import type { Caller } from './service.ts'

/**
 * Refuses a caller with rights in an organization whose security policy does not admit them: the
 * address is not allowed, or the required second factor is missing.
 */
export function checkAdmission(
  caller: Caller,
  ip: string,
  { allowedAddresses, secondFactorRequired, resourceId }: Admission['organization'],
) {
  if (allowedAddresses && allowedAddresses.length > 0 && !isAmong(allowedAddresses, ip)) {
    const message = `${resourceId} does not allow access from ${ip}. Ask its administrator.`
    throw new AppError(403, 'auth.address_not_allowed', { message, ip })
  }
  const exempt = caller.apiKey !== undefined || caller.serviceAccount === true
  if (secondFactorRequired === true && !exempt && caller.secondFactor !== true) {
    const message = `${resourceId} requires a second factor. Sign in again with one.`
    throw new AppError(403, 'auth.second_factor_needed', { message })
  }
}

/** Filter for calls over several organizations: those that do not admit the caller are left out. */
export function isAdmitted(caller: Caller, ip: string, organization: Admission['organization']) {
  try {
    checkAdmission(caller, ip, organization)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
