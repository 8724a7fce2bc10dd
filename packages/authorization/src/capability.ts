import { type Action, actions } from './permissions.ts'

/**
 * Rights of one caller in one organization, as plain data that can be stored, sent and compared.
 */
export type Capability = {
  /**
   * Bit mask of actions (bit i = `actions[i]`) for each resource that is granted without limits.
   */
  grants: Record<string, number>
  /** Grants on devices in some device groups (ids of security policies). */
  deviceGroups: { mask: number; groups: number[] }[]
  /** Grants on some model paths of devices; absent: no grant is limited to paths. */
  paths?: PathGrant[]
  /** Grants on remote access for some VPN names. */
  vpnNames?: { mask: number; names: string[] }[]
  /** Device groups of the caller's security policies: when set, no grant holds on other devices. */
  policies?: number[]
}

/** Grant on some model paths of devices, as patterns (`readPattern`). */
export type PathGrant = {
  /** Device groups in which it holds; null: every device. */
  groups: number[] | null
  /** `read`: the devices are visible; `update`: the paths under `write` may be written. */
  mask: number
  /** Live values. */
  read: string[]
  /** Past values. */
  history: string[]
  write: string[]
}

/** Rights on the values of a path. */
export const pathRights = ['read', 'history', 'write'] as const
export type PathRight = (typeof pathRights)[number]

const bits: ReadonlyMap<string, number> = new Map(
  actions.map((action, index) => [action, 1 << index]),
)

/** Bit of an action in a mask; 0 for an unknown action. */
export const bitOf = (action: Action) => bits.get(action) ?? 0

/** Mask of all actions. */
export const everyAction = (1 << actions.length) - 1

/** Action on the device that a right on its paths requires. */
export const actionOf = (right: PathRight): Action => (right === 'write' ? 'update' : 'read')

/** True when the capability allows nothing. */
export const isEmpty = ({ grants, deviceGroups, paths, vpnNames }: Capability) =>
  Object.keys(grants).length === 0 &&
  deviceGroups.length === 0 &&
  (paths ?? []).length === 0 &&
  (vpnNames ?? []).length === 0
