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

/** Reach of a right on a device; without IoT in the organization there are devices, but none of their values. */
const reachOf = (rights: Rights, right: PathRight, { org, groups }: Grouped) =>
  rights.organization.dataEnabled ? pathReach(rightsIn(rights, org), right, groups) : 'none'

/**
 * Test of the caller's right on paths of the device. A right on a struct's path includes its fields;
 * a right on a field does not include its struct. Each path is looked up once.
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

/** Tests of the paths whose newest value, and whose history, the caller may see. */
export type ValueAccess = { last: PathTest; past: PathTest }

/** Access to the values of a device; the right to history includes the newest value. */
export function valueAccess(rights: Rights, device: Grouped): ValueAccess {
  const past = pathTest(rights, 'history', device)
  const live = pathTest(rights, 'read', device)
  return { past, last: (path) => live(path) || past(path) }
}

/** The right on a path, which may name a field of a struct. */
export const onPathOrStruct = (test: PathTest, path: string) =>
  test(path) || test(path.slice(0, Math.max(0, path.lastIndexOf('/'))))

/** True when the caller sees every path of the device, also paths that do not exist yet. */
export const seesAllPaths = (rights: Rights, device: Grouped) =>
  reachOf(rights, 'read', device) === 'all'

/** True when the caller may write every path of the device, also paths that do not exist yet. */
export const writesAllPaths = (rights: Rights, device: Grouped) =>
  reachOf(rights, 'write', device) === 'all'

/** Test of the frames of the device console that the caller sees; a frame without a path needs the right on all. */
export function frameTest(rights: Rights, device: Grouped) {
  const shows = pathTest(rights, 'read', device)
  const all = seesAllPaths(rights, device)
  return ({ path }: { path?: string }) => (path === undefined ? all : shows(path))
}
