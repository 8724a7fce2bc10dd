import { actionOf, bitOf, type Capability, pathRights } from '@longreach/authorization/capability'
import { compile, compileBelow, type Rule, type Snapshot } from '@longreach/authorization/compile'
import { covers } from '@longreach/authorization/covers'
import type { RolePath } from '@longreach/authorization/path-grants'
import { actions } from '@longreach/authorization/permissions'
import type { RightChange } from './impact-contract.ts'

/** A role as far as a what-if needs it. */
export type IfRole = {
  id: number
  enabled: boolean
  inherit: boolean
  /** Belongs to an organization above. */
  above: boolean
  rules: readonly Rule[]
  paths: readonly RolePath[]
}

type Rights = { here: Capability; below: Capability }
const nothing: Capability = { grants: {}, deviceGroups: [] }

/** Combined rights of these roles in the organization and in those below it. */
export function combineRights(
  organization: Snapshot['organization'],
  ids: readonly number[],
  roles: ReadonlyMap<number, IfRole>,
): Rights {
  const held = ids.flatMap((id) => {
    const role = roles.get(id)
    if (!role?.enabled) return []
    const { above, ...facts } = role
    const named = { id, name: '' }
    const place = { organization: '', distance: above ? 1 : 0 }
    return [{ ...facts, ...place, role: named, group: named }]
  })
  const snapshot = { organization, roles: held, policies: [] }
  return { here: compile(snapshot), below: compileBelow(snapshot) ?? nothing }
}

type Change = Omit<RightChange, 'deviceGroup'> & { deviceGroup: number | null }

/** The single rights of `one` that `other` lacks. */
export const lackedBy = (other: Rights, one: Rights): Change[] => [
  ...lacked(other.here, one.here, false),
  ...lacked(other.below, one.below, true),
]

const lacked = (other: Capability, one: Capability, below: boolean) =>
  singles(one).flatMap(({ capability, ...change }) =>
    covers(other, capability) ? [] : [{ ...change, below }],
  )

type Single = Omit<Change, 'below'> & { capability: Capability }
const plain = { deviceGroup: null, vpnName: null, path: null, right: null }

/** A capability taken apart into rights that can be named one by one. */
function singles({ grants, deviceGroups, paths = [], vpnNames = [] }: Capability): Single[] {
  const ofGrants = Object.entries(grants).flatMap(([resource, mask]) =>
    bitsOf(mask).map(({ action, bit }) => ({
      ...plain,
      permission: `${resource}:${action}`,
      capability: { ...nothing, grants: { [resource]: bit } },
    })),
  )
  const inGroups = deviceGroups.flatMap(({ mask, groups }) =>
    bitsOf(mask).flatMap(({ action, bit }) =>
      groups.map((group) => ({
        ...plain,
        permission: `devices:${action}`,
        deviceGroup: group,
        capability: { ...nothing, deviceGroups: [{ mask: bit, groups: [group] }] },
      })),
    ),
  )
  const ofNames = vpnNames.flatMap(({ mask, names }) =>
    bitsOf(mask).flatMap(({ action, bit }) =>
      names.map((vpnName) => ({
        ...plain,
        permission: `vpn:${action}`,
        vpnName,
        capability: { ...nothing, vpnNames: [{ mask: bit, names: [vpnName] }] },
      })),
    ),
  )
  return [...ofGrants, ...inGroups, ...ofNames, ...paths.flatMap(singlePaths)]
}

type Grant = NonNullable<Capability['paths']>[number]

function singlePaths({ groups, mask, ...lists }: Grant): Single[] {
  const none = { mask: 0, read: [], history: [], write: [] }
  return (groups ?? [null]).flatMap((group) => {
    const onGroup = group === null ? null : [group]
    const seen = bitsOf(mask & bitOf('read')).map(({ action, bit }) => ({
      ...plain,
      permission: `devices:${action}`,
      deviceGroup: group,
      capability: { ...nothing, paths: [{ ...none, groups: onGroup, mask: bit }] },
    }))
    const onPaths = pathRights.flatMap((right) =>
      lists[right].map((path) => {
        const action = actionOf(right)
        const grant = { ...none, groups: onGroup, mask: bitOf(action), [right]: [path] }
        const capability = { ...nothing, paths: [grant] }
        const permission = `devices:${action}`
        return { ...plain, permission, deviceGroup: group, path, right, capability }
      }),
    )
    return [...seen, ...onPaths]
  })
}

const bitsOf = (mask: number) =>
  actions.flatMap((action) => {
    const bit = bitOf(action)
    return (mask & bit) === 0 ? [] : [{ action, bit }]
  })
