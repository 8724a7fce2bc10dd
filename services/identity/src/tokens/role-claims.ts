import { platformAudience } from './scope-rules.ts'

/** Most roles in a token: tokens are sent in a header, whose length is limited. */
const mostRoles = 100

type Held = { rsid: string; rsname: string; scopes?: string[]; roles?: string[] | undefined }

/**
 * Claims with the names of roles: apps read `nordwerk.roles.app_1` in `realm_access`, routes read the
 * name in `resource_access` of the platform.
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

/** Permissions without roles, which are claims of their own. */
export const withoutRoles = (permissions: readonly Held[]) =>
  permissions.map(({ rsid, rsname, scopes }) => ({ rsid, rsname, ...(scopes && { scopes }) }))
