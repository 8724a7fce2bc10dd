import { actionOf, type PathRight } from './capability.ts'
import type { HeldRole, Rule, Snapshot } from './compile.ts'
import { meet } from './can.ts'
import { isInTrie, trieOf } from './path-trie.ts'
import { type Action, iotOnly, type Resource } from './permissions.ts'

/** Source of a right of a person. */
type Reason = {
  role: HeldRole['role']
  group: HeldRole['group']
  organization: string
  /** Inherited from an organization above. */
  inherited: boolean
  /** Device group that it is limited to. */
  deviceGroup: number | null
  /** VPN name that it is limited to. */
  vpnName: string | null
  /** Model paths that the role grants; null: all. */
  paths: string[] | null
}

/** Right in question; each field narrows it. */
export type Asked = {
  /** Device groups of the device. */
  groupsOfDevice?: readonly number[] | undefined
  /** Model path of the device and the right on its values. */
  path?: string | undefined
  right?: PathRight | undefined
  vpnName?: string | undefined
}

export type Explanation = {
  allowed: boolean
  reasons: Reason[]
  /** Security policies of the person that contain the device. */
  policies: number[]
  /** Reason that removes the right although a role grants it. */
  blocked?: 'iot-disabled' | 'policies' | 'model-paths'
}

/**
 * Reasons for or against `action` on `resource`. The answer agrees with `can` on the compiled
 * snapshot; for a device with `canDevice`, for a path with `canPath`, for a VPN name with `canVpn`.
 */
export function explain(
  snapshot: Snapshot,
  resource: Resource,
  action: Action,
  asked: Asked = {},
): Explanation {
  const ways = snapshot.roles
    .filter(({ distance, inherit }) => distance === 0 || inherit)
    .flatMap((held) => waysOf(held, resource, action, asked))
  const open = ways.filter(({ reaches }) => reaches).map(({ reason }) => reason)
  const reasons = open.length > 0 ? open : ways.map(({ reason }) => reason)
  const policies = policiesThrough(snapshot, asked)
  const blocked = blockedBy(snapshot, resource, { asked, open: open.length, policies })
  if (ways.length === 0 || blocked === undefined) {
    return { allowed: open.length > 0 && blocked === undefined, reasons, policies }
  }
  return { allowed: false, reasons, policies, blocked }
}

type Found = { asked: Asked; open: number; policies: readonly number[] }

function blockedBy(
  { organization, policies: own }: Snapshot,
  resource: Resource,
  { asked, open, policies }: Found,
): Explanation['blocked'] {
  if (!organization.dataEnabled && iotOnly.includes(resource)) return 'iot-disabled'
  if (asked.groupsOfDevice && own.length > 0 && policies.length === 0) return 'policies'
  return open === 0 ? 'model-paths' : undefined
}

const policiesThrough = ({ policies }: Snapshot, { groupsOfDevice }: Asked) =>
  groupsOfDevice === undefined ? [] : policies.filter((id) => groupsOfDevice.includes(id))

type Way = { reason: Reason; reaches: boolean }

/** Rules of one role that grant the right; `reaches` is true when no limit to paths applies. */
function waysOf(held: HeldRole, resource: Resource, action: Action, asked: Asked): Way[] {
  const { role, group, organization, distance } = held
  return held.rules
    .filter((rule) => rule.resource === resource && rule.actions.includes(action))
    .filter((rule) => isAbout(rule, asked))
    .map(({ deviceGroup, vpnName = null }) => {
      const inherited = distance > 0
      const paths = pathsOf(held, resource, action, asked)
      const reason = { role, group, organization, inherited, deviceGroup, vpnName, paths }
      return { reason, reaches: reachesAsked(paths, action, asked) }
    })
}

const isAbout = ({ deviceGroup, vpnName = null }: Rule, asked: Asked) => {
  const { groupsOfDevice, vpnName: name } = asked
  if (deviceGroup !== null && groupsOfDevice && !meet([deviceGroup], groupsOfDevice)) return false
  return vpnName === null || name === undefined || vpnName === name
}

/** Paths that the role limits this right to; null when it has no limit. */
function pathsOf({ paths = [] }: HeldRole, resource: Resource, action: Action, asked: Asked) {
  const valued = action === 'read' || action === 'update'
  if (resource !== 'devices' || !valued || paths.length === 0) return null
  const right = asked.right ?? (action === 'update' ? 'write' : undefined)
  return paths
    .filter((one) => (right ? one[right] : one.read || one.history))
    .map(({ path }) => path)
}

function reachesAsked(paths: string[] | null, action: Action, asked: Asked) {
  if (paths === null) return true
  const { path, right = action === 'update' ? 'write' : 'read', groupsOfDevice } = asked
  if (path !== undefined) return actionOf(right) === action && isInTrie(trieOf(paths), path)
  // Rights on some paths make the device visible but not changeable.
  return groupsOfDevice === undefined || action === 'read'
}
