import { BlockList, isIP } from 'node:net'
import type { Admission } from '@longreach/authorization/admission'
import { AppError } from './errors.ts'
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

/** Matches an address against a list such as `203.0.113.7`, `10.0.0.0/8`, `2001:db8::/32`. */
export function isAmong(allowed: readonly string[], ip: string) {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIP(plain) === 0) return false // work without a request has no address
  return listOf(allowed).check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}

const lists = new WeakMap<readonly string[], BlockList>()

function listOf(allowed: readonly string[]) {
  const known = lists.get(allowed)
  if (known) return known
  const list = new BlockList()
  for (const one of allowed) {
    const [address = '', bits] = one.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  lists.set(allowed, list)
  return list
}
