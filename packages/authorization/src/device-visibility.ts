import { type Admission, isOpenBelow } from './admission.ts'
import { canDevice } from './can.ts'
import { type Capability, bitOf } from './capability.ts'
import type { Action } from './permissions.ts'
import { isBelowSql, isWithin, isWithinSql, reachOf } from './reach.ts'
import { condition, type SqlCondition } from './sql-condition.ts'

/** Device as far as visibility depends on it. */
type Placed = {
  /** resourceId of its organization. */
  org: string
  /** Ids of the device groups that it is in. */
  groups: readonly number[]
}

type Rights = Pick<Admission, 'capability' | 'capabilityBelow'> & {
  organization: { resourceId: string }
}
type Admitted = Rights & Pick<Admission, 'below' | 'closed'>
type Call = Pick<Admission, 'capability' | 'closed'> & {
  organization: { resourceId: string }
  /** The call covers the organizations below; `capability` then holds the rights that reach down. */
  subtree: boolean
}

/** Rights that count on a device of an organization: below the caller's own, those that reach down. */
export const rightsIn = ({ organization, capability, capabilityBelow }: Rights, org: string) =>
  org === organization.resourceId ? capability : (capabilityBelow ?? capability)

/** True for the organization of the admission, and for those below that some rights reach. */
export const isInSight = (
  admission: Omit<Admitted, 'capability' | 'capabilityBelow'>,
  org: string,
) => org === admission.organization.resourceId || (admission.below && isOpenBelow(admission, org))

/**
 * True when the caller may do `action` on a device here or below, whether or not the call covers
 * organizations below. `inSightSql` is the same test in SQL.
 */
export const canInSight = (admission: Admitted, action: Action, { org, groups }: Placed) =>
  isInSight(admission, org) && canDevice(rightsIn(admission, org), action, groups)

/**
 * True when the caller may do `action` on a device of the organizations that the call covers.
 * `inCallSql` is the same test in SQL.
 */
export const canInCall = (call: Call, action: Action, { org, groups }: Placed) =>
  isWithin(reachOf(call), org) && canDevice(call.capability, action, groups)

/** Columns of a query of devices; all texts come from code. */
export type DeviceColumns = {
  /** Column with the resourceId of the organization. */
  organization: string
  /** Text before and after the condition on that column, where the column is in another table. */
  around?: readonly [string, string]
  /** Text before and after an array of group ids: true when the device is in one of them. */
  groups: readonly [string, string]
}

/** Condition of the devices that `canInCall` allows. */
export const inCallSql = (call: Call, action: Action, columns: DeviceColumns): SqlCondition =>
  areaSql(
    isWithinSql(reachOf(call), columns.organization),
    inGroupsSql(call.capability, action, columns.groups),
    columns,
  )

/** Condition of the devices that `canInSight` allows. */
export function inSightSql(
  admission: Admitted & { subtree: boolean },
  action: Action,
  columns: DeviceColumns,
): SqlCondition {
  const here = inCallSql(admission, action, columns)
  if (admission.subtree || !admission.below) return here
  const capability = admission.capabilityBelow ?? admission.capability
  const below = areaSql(
    isBelowSql(reachOf(admission), columns.organization),
    inGroupsSql(capability, action, columns.groups),
    columns,
  )
  return condition().text('(').add(here).text(' or ').add(below).text(')').end()
}

/** Condition on the device groups alone, for counts across organizations. */
export function inGroupsSql(
  capability: Capability,
  action: Action,
  [before, after]: DeviceColumns['groups'],
): SqlCondition {
  const lists = deviceScope(capability, action)
  const built = condition()
  if (!lists) return built.text('false').end()
  if (lists.length === 0) return built.text('true').end()
  for (const [index, groups] of lists.entries()) {
    built
      .text(`${index === 0 ? '(' : ' and '}${before}`)
      .value(groups)
      .text(after)
  }
  return built.text(')').end()
}

function areaSql(organizations: SqlCondition, groups: SqlCondition, { around }: DeviceColumns) {
  const [before, after] = around ?? ['', '']
  return condition()
    .text(`(${before}`)
    .add(organizations)
    .text(`${after} and `)
    .add(groups)
    .text(')')
    .end()
}

/** True when the caller may read all devices of an organization: no device group hides one. */
export const seesAllDevices = (capability: Capability) =>
  deviceScope(capability, 'read')?.length === 0

/**
 * Devices on which the caller may do `action`, as lists of device groups: a device must be in a
 * group of every list. An empty answer means all devices; undefined means none.
 */
function deviceScope(
  { grants, deviceGroups, paths, policies }: Capability,
  action: Action,
): number[][] | undefined {
  const bit = bitOf(action)
  const lists = policies === undefined ? [] : [policies]
  if (((grants['devices'] ?? 0) & bit) !== 0) return lists
  const groups = deviceGroups.flatMap((one) => ((one.mask & bit) === 0 ? [] : one.groups))
  // Rights on some paths are enough to see the device.
  for (const one of action === 'read' ? (paths ?? []) : []) {
    if ((one.mask & bit) === 0) continue
    if (one.groups === null) return lists
    groups.push(...one.groups.filter((id) => !groups.includes(id)))
  }
  return groups.length === 0 ? undefined : [...lists, groups]
}
