import { readPattern } from '@longreach/authorization/model-path'
import { isInTrie, trieOf } from '@longreach/authorization/path-trie'
import type { TriggerRow } from '../database.ts'
import { actionsOf } from './action-rules.ts'
import type { Link } from './contract.ts'

/** Trigger as far as loops need it. */
type Looped = Pick<
  TriggerRow,
  'id' | 'org' | 'name' | 'below' | 'device_groups' | 'data' | 'disabled'
>

type Edge = { to: Looped; path: string }

/**
 * Chain of triggers by which one feeds itself: it writes a path that the next one looks at, and so on until the
 * first one. Undefined without any.
 */
export function loopOf(first: Looped, all: readonly Looped[]): Link[] | undefined {
  if (first.disabled) return undefined
  const others = [first, ...all.filter(({ id, disabled }) => id !== first.id && !disabled)]
  const seen = new Set<string>()
  const walk = (from: Looped, chain: readonly Link[]): Link[] | undefined => {
    for (const { to, path } of edgesFrom(from, others)) {
      const longer = [...chain, { triggerId: from.id, name: from.name, path }]
      if (to.id === first.id) return longer
      if (seen.has(to.id)) continue
      seen.add(to.id)
      const found = walk(to, longer)
      if (found) return found
    }
    return undefined
  }
  return walk(first, [])
}

function edgesFrom(from: Looped, all: readonly Looped[]): Edge[] {
  const writes = actionsOf(from.data).flatMap((action) =>
    action.type === 'WRITE' && !action.disabled ? [action] : [],
  )
  return writes.flatMap(({ path, deviceId }) =>
    all.flatMap((to) =>
      looksAt(to, path) && mayMeet(from, to, deviceId !== undefined) ? [{ to, path }] : [],
    ),
  )
}

/** True when a device may be seen by both; one that is named may be in any device group. */
function mayMeet(from: Looped, to: Looped, isNamed: boolean) {
  const isOneTree =
    from.org === to.org ||
    (from.below && to.org.startsWith(`${from.org}.`)) ||
    (to.below && from.org.startsWith(`${to.org}.`))
  if (!isOneTree) return false
  const [one, other] = [from.device_groups, to.device_groups]
  if (isNamed || one.length === 0 || other.length === 0) return true
  return one.some((group) => other.includes(group))
}

/** True for a trigger whose policy has a pattern that the path fits. */
function looksAt({ data }: Looped, path: string) {
  const patterns = matchersIn(data.policy).flatMap((matcher) => {
    const read = readPattern(matcher)
    return read.ok ? [read.pattern] : []
  })
  return patterns.length > 0 && isInTrie(trieOf(patterns), path)
}

/** Patterns of paths in a policy. */
function matchersIn(policy: unknown): string[] {
  if (typeof policy !== 'object' || policy === null) return []
  if ('innerPolicies' in policy && Array.isArray(policy.innerPolicies)) {
    return policy.innerPolicies.flatMap(matchersIn)
  }
  const matcher = 'modelPathMatcher' in policy ? policy.modelPathMatcher : undefined
  return typeof matcher === 'string' ? [matcher] : []
}

/** Chain in words: each trigger with the path by which it causes the next one. */
export const chainText = (chain: readonly Pick<Link, 'name' | 'path'>[], last?: string) =>
  [
    ...chain.map(({ name, path }) => `“${name}” writes ${path}`),
    ...(last === undefined ? [] : [`“${last}” fires`]),
  ].join(', so ')
