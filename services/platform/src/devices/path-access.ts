import { pathReach, reaches } from '@longreach/authorization/can-path'
import type { PathRight } from '@longreach/authorization/capability'
import { rightsIn } from '@longreach/authorization/device-visibility'
import type { Admission } from '@longreach/kit/service'
import type { Device } from './device.ts'

type Grouped = Pick<Device, 'groups' | 'org'>
type Rights = Pick<Admission, 'capability' | 'capabilityBelow'> & {
  organization: Pick<Admission['organization'], 'dataEnabled' | 'resourceId'>
}
export type PathTest = (path: string) => boolean

/** Where IoT is off, devices are there, and none of their values. */
const reachOf = (rights: Rights, right: PathRight, { org, groups }: Grouped) =>
  rights.organization.dataEnabled ? pathReach(rightsIn(rights, org), right, groups) : 'none'

/**
 * Whether the caller has a right on paths of the device. Who holds a struct's path holds its fields
 * too; a field alone does not open its struct. Each path is looked up once.
 */
export function pathTest(rights: Rights, right: PathRight, device: Grouped): PathTest {
  const reach = reachOf(rights, right, device)
  if (typeof reach === 'string') return () => reach === 'all'
  const known = new Map<string, boolean>()
  return (path) => {
    const held = known.get(path)
    if (held !== undefined) return held
    const fresh = reaches(reach, path)
    known.set(path, fresh)
    return fresh
  }
}

/** What the caller is shown of the values of a device: the newest ones, and the past. */
export type ValueAccess = { last: PathTest; past: PathTest }

/** Who may look back sees the newest value too. */
export function valueAccess(rights: Rights, device: Grouped): ValueAccess {
  const past = pathTest(rights, 'history', device)
  const live = pathTest(rights, 'read', device)
  return { past, last: (path) => live(path) || past(path) }
}

/** The right on a path, which may name a field of a struct. */
export const onPathOrStruct = (test: PathTest, path: string) =>
  test(path) || test(path.slice(0, Math.max(0, path.lastIndexOf('/'))))

/** Does the caller see every path of the device, also those that nobody has named yet? */
export const seesAllPaths = (rights: Rights, device: Grouped) =>
  reachOf(rights, 'read', device) === 'all'

/** May the caller write every path of the device, also those that nobody has named yet? */
export const writesAllPaths = (rights: Rights, device: Grouped) =>
  reachOf(rights, 'write', device) === 'all'

/** Which frames of the device's console the caller is shown; one that names no path may be of any. */
export function frameTest(rights: Rights, device: Grouped) {
  const shows = pathTest(rights, 'read', device)
  const all = seesAllPaths(rights, device)
  return ({ path }: { path?: string }) => (path === undefined ? all : shows(path))
}
