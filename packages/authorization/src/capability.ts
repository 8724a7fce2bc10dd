import { type Action, actions } from './permissions.ts'

/** What one caller may do in one organization: plain data that can be kept, sent and compared. */
export type Capability = {
  /** For each resource that is granted without limits: a bit mask of actions, bit i = `actions[i]`. */
  grants: Record<string, number>
  /** Grants on devices that hold only inside some device groups (ids of security policies). */
  deviceGroups: { mask: number; groups: number[] }[]
  /** Devices of which only some model paths are given; absent: no grant is limited to paths. */
  paths?: PathGrant[]
  /** Grants on remote access that hold only for some VPN names. */
  vpnNames?: { mask: number; names: string[] }[]
  /** Where set, the caller sees only devices in one of these groups, whatever the grants say. */
  policies?: number[]
}

/** Model paths that are given on some devices, as patterns (`readPattern`). */
export type PathGrant = {
  /** Holds inside these device groups; null: on every device. */
  groups: number[] | null
  /** `read`: the devices are seen; `update`: the paths under `write` may be written. */
  mask: number
  /** Live values. */
  read: string[]
  /** Values of the past. */
  history: string[]
  write: string[]
}

/** What may be done with the values of a path. */
export const pathRights = ['read', 'history', 'write'] as const
export type PathRight = (typeof pathRights)[number]

const bits: ReadonlyMap<string, number> = new Map(
  actions.map((action, index) => [action, 1 << index]),
)

/** The bit of an action in a mask; 0 for what is no action. */
export const bitOf = (action: Action) => bits.get(action) ?? 0

/** Every action at once. */
export const everyAction = (1 << actions.length) - 1

/** The action on the device that a right on its paths needs. */
export const actionOf = (right: PathRight): Action => (right === 'write' ? 'update' : 'read')

/** A capability that allows nothing. */
export const isEmpty = ({ grants, deviceGroups, paths, vpnNames }: Capability) =>
  Object.keys(grants).length === 0 &&
  deviceGroups.length === 0 &&
  (paths ?? []).length === 0 &&
  (vpnNames ?? []).length === 0
