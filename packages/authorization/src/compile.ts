import type { Organization } from './admission.ts'
import { bitOf, type Capability, isEmpty } from './capability.ts'
import { type Limited, limitToPaths, pathGrants, type RolePath } from './path-grants.ts'
import { actions, type Action, iotOnly, resources } from './permissions.ts'

/**
 * Grant of some actions on one resource, optionally only on devices of one device group, or on
 * remote access with one VPN name.
 */
export type Rule = {
  resource: string
  actions: readonly string[]
  deviceGroup: number | null
  vpnName?: string | null
}

/** Role that a person holds through a group, in the organization or in one above it. */
export type HeldRole = {
  role: { id: number; name: string }
  group: { id: number; name: string }
  /** resourceId of the organization that owns the role and the group. */
  organization: string
  /** Levels above the organization in question; 0: the organization itself. */
  distance: number
  /** The role also counts in every organization below its own. */
  inherit: boolean
  rules: readonly Rule[]
  /** Model paths to which the role limits device rights; empty: no limit. */
  paths?: readonly RolePath[]
}

/** Input of the permissions of one person in one organization. */
export type Snapshot = {
  organization: Pick<Organization, 'dataEnabled'>
  roles: readonly HeldRole[]
  /** Security policies assigned to the person here or above; empty: no restriction. */
  policies: readonly number[]
}

/** Compiles the person's rights in the organization. Throws on an unknown resource or action. */
export const compile = (snapshot: Snapshot): Capability =>
  combined(
    snapshot,
    snapshot.roles.filter(({ distance, inherit }) => distance === 0 || inherit),
  )

/** Compiles the rights that also hold in every organization below; undefined when none do. */
export function compileBelow(snapshot: Snapshot): Capability | undefined {
  const capability = combined(
    snapshot,
    snapshot.roles.filter(({ inherit }) => inherit),
  )
  return isEmpty(capability) ? undefined : capability
}

type Grants = Pick<HeldRole, 'rules' | 'paths'>

/** Rights of a single role, with IoT. */
export const compileRole = (role: Grants): Capability => fromRoles([role], true)

function combined({ organization, policies }: Snapshot, roles: readonly HeldRole[]): Capability {
  const capability = fromRoles(roles, organization.dataEnabled)
  if (policies.length === 0) return capability
  return { ...capability, policies: sorted(policies) }
}

type Sums = {
  grants: Map<string, number>
  inGroup: Map<number, number>
  byName: Map<string, number>
  limited: Limited
}

function fromRoles(roles: readonly Grants[], dataEnabled: boolean): Capability {
  const sums: Sums = {
    grants: new Map(),
    inGroup: new Map(),
    byName: new Map(),
    limited: new Map(),
  }
  for (const role of roles) addRole(sums, role, dataEnabled)
  const { grants, inGroup, byName, limited } = sums
  const everywhere = grants.get('devices') ?? 0
  const paths = pathGrants(limited, (group) =>
    group === null ? everywhere : everywhere | (inGroup.get(group) ?? 0),
  )
  const vpnNames = grouped(byName, grants.get('vpn') ?? 0).map(({ mask, keys }) => ({
    mask,
    names: keys.toSorted(),
  }))
  return {
    grants: Object.fromEntries([...grants].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    deviceGroups: grouped(inGroup, everywhere).map(({ mask, keys }) => ({
      mask,
      groups: sorted(keys),
    })),
    ...(paths.length > 0 && { paths }),
    ...(vpnNames.length > 0 && { vpnNames }),
  }
}

function addRole(sums: Sums, { rules, paths = [] }: Grants, dataEnabled: boolean) {
  for (const rule of rules) {
    const { resource, deviceGroup, vpnName } = rule
    const given = maskOf(rule)
    const limited = resource === 'devices' && paths.length > 0
    const mask = limited ? limitToPaths(sums.limited, deviceGroup, given, paths) : given
    if (deviceGroup !== null) add(sums.inGroup, deviceGroup, mask)
    else if (typeof vpnName === 'string') add(sums.byName, vpnName, mask)
    else if (dataEnabled || !iotOnly.some((name) => name === resource)) {
      add(sums.grants, resource, mask)
    }
  }
}

function maskOf({ resource, actions: named, deviceGroup, vpnName }: Rule) {
  if (!resources.some((name) => name === resource)) throw new Error(`no such resource: ${resource}`)
  if (deviceGroup !== null && resource !== 'devices') {
    throw new Error(`only devices have groups, not ${resource}`)
  }
  if (typeof vpnName === 'string' && resource !== 'vpn') {
    throw new Error(`only vpn has VPN names, not ${resource}`)
  }
  let mask = 0
  for (const action of named) {
    if (!isAction(action)) throw new Error(`no such action: ${action}`)
    mask |= bitOf(action)
  }
  return mask
}

const isAction = (name: string): name is Action => actions.some((action) => action === name)

function add<K>(masks: Map<K, number>, key: K, mask: number) {
  if (mask !== 0) masks.set(key, (masks.get(key) ?? 0) | mask)
}

/** Keys grouped by equal actions, without actions that are granted everywhere. */
function grouped<K>(masks: ReadonlyMap<K, number>, everywhere: number) {
  const byMask = Map.groupBy(masks, ([, mask]) => mask & ~everywhere)
  byMask.delete(0)
  return [...byMask]
    .map(([mask, entries]) => ({ mask, keys: entries.map(([key]) => key) }))
    .toSorted((a, b) => a.mask - b.mask)
}

const sorted = (ids: readonly number[]) => [...new Set(ids)].toSorted((a, b) => a - b)
