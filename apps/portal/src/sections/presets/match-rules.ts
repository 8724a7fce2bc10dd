import type { Row } from './preset-tree-rules.ts'

type Tag = { name: string; type: string }
type Suggestion = { path: string; source: string; score: number }

/** From this score on a pair is suggested. */
const leastScore = 0.45
/** Pairs that are compared; with more, only those that share a word are. */
const mostCompared = 200_000

/** The words of a name: `Zone1.tempActual` is zone, 1, temp, actual. */
const wordsOf = (name: string) =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Za-z])(\d)/g, '$1 $2')
    .replaceAll(/(\d)([A-Za-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '' && word !== 'tag')

const shortened = new Map([
  ['temp', 'temperature'],
  ['sp', 'setpoint'],
  ['set', 'setpoint'],
  ['act', 'actual'],
  ['spd', 'speed'],
  ['pos', 'position'],
  ['cnt', 'count'],
  ['pres', 'pressure'],
  ['press', 'pressure'],
  ['hum', 'humidity'],
])
const meant = (word: string) => shortened.get(word) ?? word

/** Similarity of two names, from 0 to 1: by their shared words, of which the last counts most. */
export function likeness(path: string, tag: string): number {
  const [left, right] = [wordsOf(path), wordsOf(tag)]
  if (left.length === 0 || right.length === 0) return 0
  if (left.join('') === right.join('')) return 1
  const [one, other] = [left.map(meant), right.map(meant)]
  if (one.join(' ') === other.join(' ')) return 0.95
  const others = new Set(other)
  const shared = new Set(one.filter((word) => others.has(word))).size
  const all = new Set([...one, ...other]).size
  const sameEnd = one.at(-1) === other.at(-1) ? 0.25 : 0
  return Math.min(0.94, (shared / all) * 0.7 + sameEnd)
}

const numbers = ['integer', 'double', 'boolean']
/** Could values of the tag be of the type? */
const isTypeCompatible = (type: string, tag: string) =>
  type === tag ||
  tag === '' ||
  type === 'string' ||
  (numbers.includes(type) && numbers.includes(tag))

/** For each line without a value the tag that is most like it; each tag once, the surest first. */
export function suggestionsFor(
  rows: readonly Row[],
  tags: readonly Tag[],
  taken: ReadonlySet<string>,
): Suggestion[] {
  const free = tags.filter(({ name }) => !taken.has(name))
  const byWord = rows.length * free.length > mostCompared ? tagsByWord(free) : undefined
  const candidates = ({ name }: Row) =>
    byWord ? (byWord.get(wordsOf(name).at(-1) ?? '') ?? []) : free
  const pairs = rows.flatMap((row) => candidates(row).flatMap((tag) => pairOf(row, tag) ?? []))
  const found = new Map<string, Suggestion>()
  const used = new Set<string>()
  for (const pair of pairs.toSorted((a, b) => b.score - a.score)) {
    if (found.has(pair.path) || used.has(pair.source)) continue
    found.set(pair.path, pair)
    used.add(pair.source)
  }
  return [...found.values()]
}

function pairOf({ path, type }: Row, tag: Tag): Suggestion | undefined {
  if (!isTypeCompatible(type, tag.type)) return undefined
  const score = Math.min(1, likeness(path, tag.name) + (type === tag.type ? 0.05 : 0))
  return score < leastScore ? undefined : { path, source: tag.name, score }
}

function tagsByWord(tags: readonly Tag[]) {
  const found = new Map<string, Tag[]>()
  for (const tag of tags) {
    const word = wordsOf(tag.name).at(-1) ?? ''
    found.set(word, [...(found.get(word) ?? []), tag])
  }
  return found
}
