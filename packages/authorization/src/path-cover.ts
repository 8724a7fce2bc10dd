import { ends, namesOf, opened, type Step, trieOf, walked } from './path-trie.ts'

/** Largest number of pairs to compare before the answer is no; real patterns need a few hundred. */
const patience = 20_000

/**
 * True when the patterns of `wide` include every path of the patterns of `narrow`. Both tries are
 * walked together; beyond `patience` the answer is no, so that no right is granted by mistake.
 */
export function coversPaths(wide: readonly string[], narrow: readonly string[]) {
  const known = new Set(wide)
  const open = narrow.filter((pattern) => !known.has(pattern))
  return open.every((pattern) => coversPattern(wide, pattern))
}

type Place = { wide: Step[]; narrow: Step[] }

function coversPattern(wide: readonly string[], pattern: string) {
  const seen = new Set<string>()
  const waiting: Place[] = [
    { wide: opened([trieOf(wide).root]), narrow: opened([trieOf([pattern]).root]) },
  ]
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    for (const names of segmentsAt(place)) {
      const next = { narrow: walked(place.narrow, names), wide: walked(place.wide, names) }
      if (next.narrow.length === 0) continue
      if (ends(next.narrow) && !ends(next.wide)) return false
      const key = `${idsOf(next.narrow)} ${idsOf(next.wide)}`
      if (seen.has(key)) continue
      if (seen.size >= patience) return false
      seen.add(key)
      waiting.push(next)
    }
  }
  return true
}

const idsOf = (steps: readonly Step[]) =>
  steps
    .map(({ id }) => id)
    .toSorted((a, b) => a - b)
    .join(',')

/**
 * One example of each kind of segment that leads to a different state: the named ones, and one
 * other.
 */
function segmentsAt({ wide, narrow }: Place) {
  const kinds = new Map<string, readonly string[]>([['', []]])
  for (const { byName } of [...wide, ...narrow]) {
    for (const name of byName.keys()) {
      const names = namesOf(name)
      kinds.set(name, names)
      for (const generic of names) kinds.set(generic, kinds.get(generic) ?? [generic])
    }
  }
  return kinds.values()
}
