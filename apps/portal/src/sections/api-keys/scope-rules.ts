import {
  type Action,
  isOffered,
  type Permission,
  type Resource,
} from '@longreach/authorization/permissions'

const resourceOf = (permission: Permission) => permission.split(':')[0] as Resource // by its type

/** Action of a permission. */
export const actionOf = (permission: Permission) => permission.split(':')[1] as Action // by its type

/** Rights about what this version of the product has. */
export const offeredScopes = (permissions: readonly Permission[]) =>
  permissions.filter((one) => isOffered(resourceOf(one)))

/** Rights by what they are about, in the order in which they came. */
export function byResource(permissions: readonly Permission[]) {
  const groups = Map.groupBy(offeredScopes(permissions), resourceOf)
  return [...groups].map(([resource, rights]) => ({ resource, rights }))
}

/** Actions ticked at first for a new key: those to read devices, models, dashboards and alarms. */
const usualPermissions = ['devices:read', 'models:read', 'dashboards:read', 'alarms:read']

/** The rights of a new key that its owner has. */
export const usualScopes = (available: readonly Permission[]): ReadonlySet<Permission> =>
  new Set(offeredScopes(available).filter((one) => usualPermissions.includes(one)))

/** `devices:read` and the like. */
export const onlySeeing = (available: readonly Permission[]): ReadonlySet<Permission> =>
  new Set(offeredScopes(available).filter((one) => one.endsWith(':read')))

/** Lines of a text as a person types them: addresses, one a line or with commas between. */
export const linesOf = (text: string) =>
  text
    .split(/[\s,;]+/)
    .map((one) => one.trim())
    .filter((one) => one !== '')

const soonMs = 14 * 86_400_000

/** State of a key: expired, about to expire, or usable. */
export function lifeOf({ expired, expiresAt }: { expired: boolean; expiresAt: Date }, now: number) {
  if (expired || expiresAt.getTime() <= now) return 'expired'
  return expiresAt.getTime() - now < soonMs ? 'soon' : 'live'
}
