/** A step of the trie; a pattern goes on by a name, by any one segment, or by any number of them. */
export type Step = {
  id: number
  byName: Map<string, Step>
  any?: Step
  rest?: Step
  /** Stands for `**`: every segment leads back to it. */
  loops: boolean
  /** A pattern ends here. */
  ends: boolean
}

/** The paths that some patterns mean together: a trie over segments, walked without going back. */
type PathTrie = { root: Step }

const tries = new WeakMap<readonly string[], PathTrie>()

/** Compile patterns; the same list is compiled once. Patterns must have been read by `readPattern`. */
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

/** Is the path one of those that the patterns mean? */
export function isInTrie({ root }: PathTrie, path: string) {
  let steps = opened([root])
  for (const segment of path.split('/')) {
    steps = walked(steps, namesOf(segment))
    if (steps.length === 0) return false
  }
  return ends(steps)
}

/** By which names a pattern may mean this segment: itself, any index, any version. */
export function namesOf(segment: string): readonly string[] {
  const names = [segment]
  if (segment.endsWith(']')) names.push(segment.replaceAll(/\[\d+\]/g, '[*]'))
  const colon = segment.lastIndexOf(':')
  if (colon > 0) names.push(`${segment.slice(0, colon)}:*`)
  return names
}

export const ends = (steps: readonly Step[]) => steps.some((step) => step.ends)

/** Where one more segment leads from all of these steps. */
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

/** `**` may stand for no segment at all: what follows it is reached at once. */
export function opened(steps: Step[]): Step[] {
  // Without `**` no step is reached twice, since each has one step before it.
  if (!steps.some(({ rest }) => rest)) return steps
  const all = new Set(steps)
  for (const { rest } of all) if (rest) all.add(rest) // a Set shows what is added while it is walked
  return [...all]
}
