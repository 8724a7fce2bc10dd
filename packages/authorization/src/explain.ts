import { type HeldRole, iotOnly, type Snapshot } from './compile.ts'
import type { Action, Resource } from './permissions.ts'

/** One way by which a person has a right. */
export type Reason = {
  role: HeldRole['role']
  group: HeldRole['group']
  organization: string
  /** Came down the tree from an organization above. */
  inherited: boolean
  /** Holds only for devices in this group. */
  deviceGroup: number | null
}

export type Explanation = {
  allowed: boolean
  reasons: Reason[]
  /** What takes the right away although a role grants it. */
  blocked?: 'iot-disabled' | 'policies'
}

/**
 * Why a person may or may not do `action` on `resource`; for one device, give the groups it is in.
 * Agrees with `can` (`canDevice` for a device) on the compiled snapshot.
 */
export function explain(
  snapshot: Snapshot,
  resource: Resource,
  action: Action,
  groupsOfDevice?: readonly number[],
): Explanation {
  const reasons = snapshot.roles
    .filter(({ distance, inherit }) => distance === 0 || inherit)
    .flatMap((held) => reasonsOf(held, resource, action))
    .filter(
      ({ deviceGroup }) =>
        deviceGroup === null ||
        groupsOfDevice === undefined ||
        groupsOfDevice.includes(deviceGroup),
    )
  if (!snapshot.organization.dataEnabled && iotOnly.includes(resource)) {
    return { allowed: false, reasons, ...(reasons.length > 0 && { blocked: 'iot-disabled' }) }
  }
  const { policies } = snapshot
  const outside =
    groupsOfDevice !== undefined &&
    policies.length > 0 &&
    !policies.some((id) => groupsOfDevice.includes(id))
  if (outside)
    return { allowed: false, reasons, ...(reasons.length > 0 && { blocked: 'policies' }) }
  return { allowed: reasons.length > 0, reasons }
}

const reasonsOf = (
  { role, group, organization, distance, rules }: HeldRole,
  resource: Resource,
  action: Action,
): Reason[] =>
  rules
    .filter((rule) => rule.resource === resource && rule.actions.includes(action))
    .map(({ deviceGroup }) => ({
      role,
      group,
      organization,
      inherited: distance > 0,
      deviceGroup,
    }))
