import { can } from '@longreach/authorization/can'
import type { Capability } from '@longreach/authorization/capability'
import type { Action, Resource } from '@longreach/authorization/permissions'
import type { Access, Endpoint } from './contract.ts'
import { AppError } from './errors.ts'
import type { OrgCtx } from './service.ts'

/** Holder check: the capability gives a member at least one of these accesses. */
export const allows = (capability: Capability, access: readonly Access[]) =>
  access.some((one) => {
    if (one === 'member') return true
    const [resource, action] = one.split(':') as [Resource, Action]
    return can(capability, resource, action)
  })

/**
 * Refuses an API key on calls that need no permission, unless the call is open to keys. Otherwise a
 * key is limited by its permissions.
 */
export function checkKeyAccess(
  { caller, capability }: OrgCtx,
  access: readonly Access[],
  { apiKeys }: Endpoint,
) {
  if (!caller.apiKey || !access.includes('member')) return
  if (apiKeys === undefined) throw new AppError(403, 'auth.not_with_api_key')
  if (apiKeys === true || allows(capability, [apiKeys])) return
  throw new AppError(403, 'auth.missing_permission', { permission: apiKeys })
}
