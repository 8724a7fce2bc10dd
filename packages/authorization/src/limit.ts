import type { Admission } from './admission.ts'
import { bitOf, type Capability, isEmpty, type PathGrant } from './capability.ts'
import type { Action, Permission } from './permissions.ts'

/**
 * Admission for a credential with fewer rights than its bearer: the rights of the bearer that are
 * also in `permissions`.
 */
export function limitedTo(admission: Admission, permissions: readonly Permission[]): Admission {
  const { capabilityBelow, ...rest } = admission
  const below = capabilityBelow && only(capabilityBelow, permissions)
  const reaches = below !== undefined && !isEmpty(below)
  return {
    ...rest,
    capability: only(admission.capability, permissions),
    below: reaches,
    ...(reaches && { capabilityBelow: below }),
  }
}

function only(capability: Capability, permissions: readonly Permission[]): Capability {
  const masks = new Map<string, number>()
  for (const permission of permissions) {
    const [resource = '', action = ''] = permission.split(':')
    masks.set(resource, (masks.get(resource) ?? 0) | bitOf(action as Action))
  }
  const maskOf = (resource: string) => masks.get(resource) ?? 0
  const grants = Object.entries(capability.grants)
    .map(([resource, mask]) => [resource, mask & maskOf(resource)] as const)
    .filter(([, mask]) => mask !== 0)
  const deviceGroups = capability.deviceGroups
    .map(({ mask, groups }) => ({ mask: mask & maskOf('devices'), groups }))
    .filter(({ mask }) => mask !== 0)
  const { paths, vpnNames, ...rest } = capability
  const somePaths = (paths ?? []).flatMap((one) => limitedPaths(one, maskOf('devices')))
  const someNames = (vpnNames ?? [])
    .map(({ mask, names }) => ({ mask: mask & maskOf('vpn'), names }))
    .filter(({ mask }) => mask !== 0)
  return {
    ...rest,
    grants: Object.fromEntries(grants),
    deviceGroups,
    ...(somePaths.length > 0 && { paths: somePaths }),
    ...(someNames.length > 0 && { vpnNames: someNames }),
  }
}

/** Path grant with only the allowed actions and their lists. */
function limitedPaths({ groups, mask, ...lists }: PathGrant, allowed: number): PathGrant[] {
  const kept = mask & allowed
  if (kept === 0) return []
  const reads = (kept & bitOf('read')) !== 0
  const writes = (kept & bitOf('update')) !== 0
  const { read, history, write } = lists
  return [
    {
      groups,
      mask: kept,
      read: reads ? read : [],
      history: reads ? history : [],
      write: writes ? write : [],
    },
  ]
}
