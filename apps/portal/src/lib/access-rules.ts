import type { Permission, Resource } from '@longreach/authorization/permissions'
import { actions, resources } from '@longreach/authorization/permissions'

/** All groups must pass; within a group any permission suffices. */
export type Needs = readonly (readonly Permission[])[]
export type Feature = 'iot' | 'vpn'
export type Place = { dataEnabled: boolean; vpnEnabled: boolean; resourceId?: string }
export type Rights = { permissions: ReadonlySet<Permission>; organization: Place }
export type Guarded = {
  feature?: Feature
  permissions: Needs
  /** Only in the root organization of a realm. */
  root?: true
}

const iotOnly: readonly Resource[] = ['models', 'dashboards', 'notifications', 'alarms']
const known = new Set<string>(
  resources.flatMap((resource) => actions.map((action) => `${resource}:${action}`)),
)

/** May this person enter? Portal access is needed everywhere. */
export const mayEnter = ({ feature, permissions: needs, root }: Guarded, rights: Rights) =>
  rights.permissions.has('portal:access') &&
  hasFeature(feature, rights.organization) &&
  (root !== true || isRoot(rights.organization)) &&
  needs.every((group) => group.some((permission) => rights.permissions.has(permission)))

const isRoot = ({ resourceId = '' }: Place) => !resourceId.includes('.')

export const hasFeature = (feature: Feature | undefined, { dataEnabled, vpnEnabled }: Place) => {
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
