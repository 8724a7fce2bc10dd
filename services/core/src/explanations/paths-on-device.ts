import { pathReach } from '@longreach/authorization/can-path'
import { meet } from '@longreach/authorization/can'
import { type Capability, type PathRight } from '@longreach/authorization/capability'

/** The model paths of a device that a capability reaches: all, none, or by patterns. */
export function pathsOn(capability: Capability, groups: readonly number[]) {
  const of = (right: PathRight): 'all' | 'none' | string[] => {
    const reach = pathReach(capability, right, groups)
    if (typeof reach === 'string') return reach
    const lists = (capability.paths ?? [])
      .filter((grant) => grant.groups === null || meet(grant.groups, groups))
      .flatMap((grant) => grant[right])
    return [...new Set(lists)].toSorted()
  }
  return { read: of('read'), history: of('history'), write: of('write') }
}
