import { type Action, actions } from './permissions.ts'

/** What one caller may do in one organization: plain data that can be kept, sent and compared. */
export type Capability = {
  /** For each resource that is granted without limits: a bit mask of actions, bit i = `actions[i]`. */
  grants: Record<string, number>
  /** Grants on devices that hold only inside some device groups (ids of security policies). */
  deviceGroups: { mask: number; groups: number[] }[]
  /** Where set, the caller sees only devices in one of these groups, whatever the grants say. */
  policies?: number[]
}

/** The bit of an action in a mask. */
export const bitOf = (action: Action) => 1 << actions.indexOf(action)

/** Every action at once. */
export const everyAction = (1 << actions.length) - 1

/** A capability that allows nothing. */
export const isEmpty = ({ grants, deviceGroups }: Capability) =>
  Object.keys(grants).length === 0 && deviceGroups.length === 0
