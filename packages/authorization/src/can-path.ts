import { isFree, isLetThrough, meet } from './can.ts'
import { actionOf, bitOf, type Capability, type PathRight } from './capability.ts'
import { isInTrie, trieOf } from './path-trie.ts'

/** Which paths of one device a right holds on: all, none, or those that the test lets through. */
type PathReach = 'all' | 'none' | ((path: string) => boolean)

/** Where `right` holds on the device that is in these device groups. Keep it for many paths. */
export function pathReach(
  capability: Capability,
  right: PathRight,
  groupsOfDevice: readonly number[],
): PathReach {
  if (!isLetThrough(capability, groupsOfDevice)) return 'none'
  const bit = bitOf(actionOf(right))
  if (isFree(capability, bit, groupsOfDevice)) return 'all'
  const lists = (capability.paths ?? [])
    .filter(({ groups }) => groups === null || meet(groups, groupsOfDevice))
    .map((grant) => grant[right])
    .filter((patterns) => patterns.length > 0)
  if (lists.length === 0) return 'none'
  return (path) => lists.some((patterns) => isInTrie(trieOf(patterns), path))
}

/** Does the reach hold the path? */
export const reaches = (reach: PathReach, path: string) =>
  typeof reach === 'function' ? reach(path) : reach === 'all'

/** May the caller read, look back at, or write this path of the device that is in these groups? */
export const canPath = (
  capability: Capability,
  right: PathRight,
  groupsOfDevice: readonly number[],
  path: string,
) => reaches(pathReach(capability, right, groupsOfDevice), path)
