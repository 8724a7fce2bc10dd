import { relativePath } from '@longreach/formula/paths'
import type { CompiledRule, RuleInput } from './compiled.ts'

/**
 * Instance of a rule on a device: the indexes of its item joined by dots, empty for a rule without
 * items; and for each input the path of the device, undefined where it has none.
 */
export type RuleInstance = { instance: string; paths: readonly (string | undefined)[] }

/** Instances of a rule for the paths of a device: one for each item that `[*]` finds. */
export function instancesOf(rule: CompiledRule, devicePaths: Iterable<string>): RuleInstance[] {
  const byName = new Map([...devicePaths].map((path) => [relativePath(path), path]))
  const patterns = rule.inputs.map(patternOf)
  return [...itemsOf(rule, patterns, byName.keys())].map((instance) => {
    const indexes = instance.split('.')
    return { instance, paths: patterns.map((pattern) => byName.get(atItem(pattern, indexes))) }
  })
}

const patternOf = (input: RuleInput) => ('path' in input ? (input.path ?? '') : '')

/** Path of an item: its indexes in place of each `[*]`. */
function atItem(pattern: string, indexes: readonly string[]): string {
  let at = -1
  return pattern.replaceAll('[*]', () => {
    at += 1
    return `[${indexes[at] ?? '*'}]`
  })
}

function itemsOf(
  { stars, leavesOf }: CompiledRule,
  patterns: readonly string[],
  names: Iterable<string>,
): Set<string> {
  if (stars === 0) return new Set([''])
  const logic = patterns.filter(
    (pattern, input) => pattern.includes('[*]') && (leavesOf[input]?.length ?? 0) > 0,
  )
  const items = new Set<string>()
  for (const name of names) {
    for (const pattern of logic) {
      const indexes = indexesIn(pattern, name)
      if (indexes) items.add(indexes.join('.'))
    }
  }
  return new Set([...items].toSorted(byNumbers))
}

const byNumbers = (one: string, other: string) => {
  const [a, b] = [one.split('.').map(Number), other.split('.').map(Number)]
  const differing = a.findIndex((index, at) => index !== b[at])
  return differing === -1 ? 0 : (a[differing] ?? 0) - (b[differing] ?? 0)
}

/** Indexes of a path at each `[*]` of a pattern; undefined when it is another path. */
export function indexesIn(pattern: string, path: string): string[] | undefined {
  const [first = '', ...parts] = pattern.split('[*]')
  if (!path.startsWith(first)) return undefined
  const indexes: string[] = []
  let at = first.length
  for (const part of parts) {
    const end = path.indexOf(']', at)
    const index = path.slice(at + 1, end)
    if (path[at] !== '[' || !/^\d{1,9}$/.test(index)) return undefined
    if (!path.startsWith(part, end + 1)) return undefined
    indexes.push(index)
    at = end + 1 + part.length
  }
  return at === path.length ? indexes : undefined
}
