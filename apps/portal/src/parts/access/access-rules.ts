import type { Permission } from '@longreach/authorization/permissions'
import { actions, iotOnly, resources } from '@longreach/authorization/permissions'

/** All groups must pass; within a group any permission suffices. */
export type Needs = readonly (readonly Permission[])[]
type Feature = 'iot' | 'vpn'
type Place = { dataEnabled: boolean; vpnEnabled: boolean; resourceId?: string }
export type Rights = {
  permissions: ReadonlySet<Permission>
  organization: Place
  resourceRoles?: ReadonlySet<string>
}
export type Guarded = {
  feature?: Feature
  permissions: Needs
  /** Only in the root organization of a realm. */
  root?: true
  /** A role that the token must hold for a client; without it the Unauthorized page stands there. */
  resourceRole?: string
}

const known = new Set<string>(
  resources.flatMap((resource) => actions.map((action) => `${resource}:${action}`)),
)

/** May this person enter? Portal access is needed everywhere. */
export const mayEnter = ({ feature, permissions: needs, root }: Guarded, rights: Rights) =>
  rights.permissions.has('portal:access') &&
  hasFeature(feature, rights.organization) &&
  (root !== true || isRoot(rights.organization)) &&
  holdsAll(needs, rights)

/** Does one permission of each group suffice? */
export const holdsAll = (needs: Needs, { permissions }: Pick<Rights, 'permissions'>) =>
  needs.every((group) => group.some((permission) => permissions.has(permission)))

/** Does the token hold the role that is asked for? */
export const holdsRole = ({ resourceRole }: Guarded, { resourceRoles }: Rights) =>
  resourceRole === undefined || (resourceRoles?.has(resourceRole) ?? false)

/** Missing conditions of a page: the permissions of each group without one, the feature, or the root organization. */
export function lackingFor({ feature, permissions: needs, root }: Guarded, rights: Rights) {
  const { permissions, organization } = rights
  const groups: Needs = [['portal:access'], ...needs]
  return {
    permissions: groups.filter((group) => !group.some((one) => permissions.has(one))),
    ...(!hasFeature(feature, organization) && { feature }),
    ...(root === true && !isRoot(organization) && { root }),
  }
}
export type Lacking = ReturnType<typeof lackingFor>

const isRoot = ({ resourceId = '' }: Place) => !resourceId.includes('.')

const hasFeature = (feature: Feature | undefined, { dataEnabled, vpnEnabled }: Place) => {
  if (feature === undefined) return true
  return feature === 'iot' ? dataEnabled : vpnEnabled
}

/** Permissions that a non-IoT organization does not have are taken away (T-05). */
export const inPlace = (permissions: Iterable<Permission>, { dataEnabled }: Place) =>
  new Set(
    [...permissions].filter(
      (permission) =>
        dataEnabled || !iotOnly.some((resource) => permission.startsWith(`${resource}:`)),
    ),
  )

/** The roles that a token holds for any client; a malformed token holds none. */
export function resourceRolesIn(claims: unknown): ReadonlySet<string> {
  const access = (claims as { resource_access?: unknown } | null | undefined)?.resource_access
  const clients = typeof access === 'object' && access !== null ? Object.values(access) : []
  const roles = clients.flatMap((one: { roles?: unknown } | null) =>
    Array.isArray(one?.roles) ? (one.roles as unknown[]) : [],
  )
  return new Set(roles.filter((role) => typeof role === 'string'))
}

type Claims = { authorization?: { permissions?: { rsname?: string; scopes?: unknown[] }[] } }

/**
 * The permissions that a token holds for one organization; `iam.devices.read` reads as `devices:read`.
 * A malformed token holds none.
 */
export function permissionsIn(claims: unknown, resourceId: string): Permission[] {
  const granted = (claims as Claims | null | undefined)?.authorization?.permissions
  if (!Array.isArray(granted)) return []
  return granted
    .filter((one) => one?.rsname === resourceId && Array.isArray(one.scopes))
    .flatMap((one) => one.scopes ?? [])
    .map((scope) =>
      String(scope)
        .replace(/^iam\./, '')
        .replace('.', ':'),
    )
    .filter((permission): permission is Permission => known.has(permission))
}
