import { platformAudience } from './scope-rules.ts'

/** A token travels in a header, and headers have an end. */
const mostRoles = 100

type Held = { rsid: string; rsname: string; scopes?: string[]; roles?: string[] | undefined }

/**
 * Roles for whoever asks a token for them: apps look for `nordwerk.roles.app_1` among those of the realm,
 * routes for the name among those of the platform.
 */
export function roleClaims(permissions: readonly Held[] | undefined) {
  const held = (permissions ?? [])
    .flatMap(({ rsname, roles = [] }) => roles.map((role) => ({ rsname, role })))
    .slice(0, mostRoles)
  const names = [...new Set(held.map(({ role }) => role))]
  return {
    realm_access: { roles: held.map(({ rsname, role }) => `${rsname}.roles.${role}`) },
    resource_access: names.length > 0 ? { [platformAudience]: { roles: names } } : {},
  }
}

/** Permissions as a token names them: roles stand in claims of their own. */
export const withoutRoles = (permissions: readonly Held[]) =>
  permissions.map(({ rsid, rsname, scopes }) => ({ rsid, rsname, ...(scopes && { scopes }) }))
