import { can } from '@longreach/authorization/can'
import type { Capability } from '@longreach/authorization/capability'
import type { Action, Resource } from '@longreach/authorization/permissions'
import type { Access, Endpoint } from './contract.ts'
import { AppError } from './errors.ts'
import type { OrgCtx } from './service.ts'

/** Does a capability give one of these accesses to a member? */
export const allows = (capability: Capability, access: readonly Access[]) =>
  access.some((one) => {
    if (one === 'member') return true
    const [resource, action] = one.split(':') as [Resource, Action]
    return can(capability, resource, action)
  })

/** What needs no permission is for people: a key does what its permissions name, and what the call opens to keys. */
export function mustSuitKey(
  { caller, capability }: OrgCtx,
  access: readonly Access[],
  { apiKeys }: Endpoint,
) {
  if (!caller.apiKey || !access.includes('member')) return
  if (apiKeys === undefined) throw new AppError(403, 'auth.not_with_api_key')
  if (apiKeys === true || allows(capability, [apiKeys])) return
  throw new AppError(403, 'auth.missing_permission', { permission: apiKeys })
}
