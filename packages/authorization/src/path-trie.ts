/** Node of the trie; it continues by a name, by any one segment, or by any number of segments. */
export type Step = {
  id: number
  byName: Map<string, Step>
  any?: Step
  rest?: Step
  /** Node for `**`: every segment leads back to it. */
  loops: boolean
  /** End of a pattern. */
  ends: boolean
}

/** Set of paths described by patterns: a trie over segments, matched without backtracking. */
type PathTrie = { root: Step }

const tries = new WeakMap<readonly string[], PathTrie>()

/** Compiles patterns from `readPattern` to a trie; results are cached by list. */
export function trieOf(patterns: readonly string[]): PathTrie {
  const known = tries.get(patterns)
  if (known) return known
  let count = 0
  const step = (loops = false): Step => ({
    id: count++,
    byName: new Map(),
    loops,
    ends: false,
  })
  const root = step()
  for (const pattern of patterns) {
    let at = root
    for (const segment of pattern.split('/')) {
      if (segment === '*') at = at.any ??= step()
      else if (segment === '**') at = at.rest ??= step(true)
      else {
        const next: Step = at.byName.get(segment) ?? step()
        at.byName.set(segment, next)
        at = next
      }
    }
    at.ends = true
  }
  const trie = { root }
  tries.set(patterns, trie)
  return trie
}

/** Membership of a path in the set. */
export function isInTrie({ root }: PathTrie, path: string) {
  let steps = opened([root])
  for (const segment of path.split('/')) {
    steps = walked(steps, namesOf(segment))
    if (steps.length === 0) return false
  }
  return ends(steps)
}

/** Names in a pattern that match this segment: itself, any index, any version. */
export function namesOf(segment: string): readonly string[] {
  const names = [segment]
  if (segment.endsWith(']')) names.push(segment.replaceAll(/\[\d+\]/g, '[*]'))
  const colon = segment.lastIndexOf(':')
  if (colon > 0) names.push(`${segment.slice(0, colon)}:*`)
  return names
}

export const ends = (steps: readonly Step[]) => steps.some((step) => step.ends)

/** Nodes reached from these nodes by one more segment. */
export function walked(steps: readonly Step[], names: readonly string[]): Step[] {
  const next: Step[] = []
  for (const step of steps) {
    if (step.loops) next.push(step)
    if (step.any) next.push(step.any)
    for (const name of names) {
      const named = step.byName.get(name)
      if (named) next.push(named)
    }
  }
  return opened(next)
}

/** Nodes together with those reached by an empty `**`. */
export function opened(steps: Step[]): Step[] {
  // Without `**` no node is reached twice, since each has one parent.
  if (!steps.some(({ rest }) => rest)) return steps
  const all = new Set(steps)
  for (const { rest } of all) if (rest) all.add(rest) // a Set also iterates over elements added meanwhile
  return [...all]
}
