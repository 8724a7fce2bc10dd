import { isFree, isInPolicyGroups, meet } from './can.ts'
import { actionOf, bitOf, type Capability, type PathRight } from './capability.ts'
import { isInTrie, trieOf } from './path-trie.ts'

/** Paths of one device on which a right holds: all, none, or those that the function accepts. */
type PathReach = 'all' | 'none' | ((path: string) => boolean)

/**
 * Paths on which `right` holds, for a device in these device groups. Reuse the result for many
 * paths.
 */
export function pathReach(
  capability: Capability,
  right: PathRight,
  groupsOfDevice: readonly number[],
): PathReach {
  if (!isInPolicyGroups(capability, groupsOfDevice)) return 'none'
  const bit = bitOf(actionOf(right))
  if (isFree(capability, bit, groupsOfDevice)) return 'all'
  const lists = (capability.paths ?? [])
    .filter(({ groups }) => groups === null || meet(groups, groupsOfDevice))
    .map((grant) => grant[right])
    .filter((patterns) => patterns.length > 0)
  if (lists.length === 0) return 'none'
  return (path) => lists.some((patterns) => isInTrie(trieOf(patterns), path))
}

/** Membership of a path in the result of `pathReach`. */
export const reaches = (reach: PathReach, path: string) =>
  typeof reach === 'function' ? reach(path) : reach === 'all'

/**
 * Permission check for reading, looking back at or writing one path of a device in these groups.
 */
export const canPath = (
  capability: Capability,
  right: PathRight,
  groupsOfDevice: readonly number[],
  path: string,
) => reaches(pathReach(capability, right, groupsOfDevice), path)
