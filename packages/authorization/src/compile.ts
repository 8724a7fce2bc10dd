import type { Organization } from './admission.ts'
import { bitOf, type Capability, isEmpty } from './capability.ts'
import { actions, type Action, type Resource, resources } from './permissions.ts'

/** Some actions on one resource; on devices perhaps only on those of one device group. */
export type Rule = {
  resource: string
  actions: readonly string[]
  deviceGroup: number | null
}

/** A role that a person holds through a group, in the organization or in one above it. */
export type HeldRole = {
  role: { id: number; name: string }
  group: { id: number; name: string }
  /** resourceId of the organization that the role and the group belong to. */
  organization: string
  /** Steps up the tree from the organization asked about; 0: this one. */
  distance: number
  /** The role counts in every organization below its own too. */
  inherit: boolean
  rules: readonly Rule[]
}

/** Everything that decides what one person may do in one organization. */
export type Snapshot = {
  organization: Pick<Organization, 'dataEnabled'>
  roles: readonly HeldRole[]
  /** Security policies put on the person here or above; none: no restriction. */
  policies: readonly number[]
}

/** What an organization without IoT loses (specification section 4). */
export const iotOnly: readonly Resource[] = ['models', 'dashboards', 'notifications', 'alarms']

/** What the person may do in the organization. Throws on a resource or action that does not exist. */
export const compile = (snapshot: Snapshot): Capability =>
  combined(
    snapshot,
    snapshot.roles.filter(({ distance, inherit }) => distance === 0 || inherit),
  )

/** What of it holds in every organization below too; undefined when nothing reaches down. */
export function compileBelow(snapshot: Snapshot): Capability | undefined {
  const capability = combined(
    snapshot,
    snapshot.roles.filter(({ inherit }) => inherit),
  )
  return isEmpty(capability) ? undefined : capability
}

/** What a set of rules allows by itself, as if one role held them. */
export const compileRules = (rules: readonly Rule[], dataEnabled = true): Capability =>
  fromRules(rules, dataEnabled)

function combined({ organization, policies }: Snapshot, roles: readonly HeldRole[]): Capability {
  const capability = fromRules(
    roles.flatMap(({ rules }) => rules),
    organization.dataEnabled,
  )
  if (policies.length === 0) return capability
  return { ...capability, policies: sorted(policies) }
}

function fromRules(rules: readonly Rule[], dataEnabled: boolean): Capability {
  const grants = new Map<string, number>()
  const inGroup = new Map<number, number>()
  for (const rule of rules) {
    const mask = maskOf(rule)
    if (rule.deviceGroup !== null) add(inGroup, rule.deviceGroup, mask)
    else if (dataEnabled || !iotOnly.some((name) => name === rule.resource)) {
      add(grants, rule.resource, mask)
    }
  }
  return {
    grants: Object.fromEntries([...grants].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    deviceGroups: limited(inGroup, grants.get('devices') ?? 0),
  }
}

function maskOf({ resource, actions: named, deviceGroup }: Rule) {
  if (!resources.some((name) => name === resource)) throw new Error(`no such resource: ${resource}`)
  if (deviceGroup !== null && resource !== 'devices') {
    throw new Error(`only devices have groups, not ${resource}`)
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

/** Groups with the same actions together, without what is granted on every device anyway. */
function limited(inGroup: ReadonlyMap<number, number>, everywhere: number) {
  const byMask = Map.groupBy(inGroup, ([, mask]) => mask & ~everywhere)
  byMask.delete(0)
  return [...byMask]
    .map(([mask, entries]) => ({ mask, groups: sorted(entries.map(([id]) => id)) }))
    .toSorted((a, b) => a.mask - b.mask)
}

const sorted = (ids: readonly number[]) => [...new Set(ids)].toSorted((a, b) => a - b)
