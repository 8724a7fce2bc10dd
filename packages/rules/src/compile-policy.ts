import { readPattern } from '@longreach/authorization/model-path'
import { isInTrie, trieOf } from '@longreach/authorization/path-trie'
import type { FormulaValue } from '@longreach/formula/tree'
import { type Compare, compareBand, isInBand } from './compare.ts'
import { finished, isTrue } from './compile.ts'
import { InputList } from './compile-leaf.ts'
import type { ChangeRule, CompiledLeaf, CompiledRule } from './compiled.ts'
import type { Tree } from './condition-tree.ts'
import type { Policy, SinglePolicy } from './policy.ts'
import { staysWithBand } from './stays.ts'

/**
 * Compiled policy of a trigger on a device: a raise is a firing. `instance` is a path, or the part
 * of the policy.
 */
export type CompiledPolicy = {
  instance: string
  rule: CompiledRule
  /** Policy of each leaf, and its place as `policy.innerPolicies.0`. */
  leaves: readonly LeafPolicy[]
}
/** Part of a policy that judges a device by itself: all that it is compiled from. */
export type PolicyPart = { policy: Policy; paths: readonly string[]; instance: string }

/** Type of the policy of a leaf, and its place. */
export type LeafPolicy = { type: SinglePolicy['type']; place: string }

/**
 * Compiles a policy for the paths of a device. A policy of one thing fires for each path by itself.
 * In a group, levels hold, and impulses (changes and values) fire while the others hold: parts of
 * an OR that contain impulses fire by themselves, since a level that holds would hide them.
 */
export function compilePolicy(policy: Policy, devicePaths: readonly string[]): CompiledPolicy[] {
  return compilePart(policy, devicePaths, placesIn(policy))
}

type Places = ReadonlyMap<Policy, string>

/** Place of each policy of one thing. */
function placesIn(policy: Policy, place = 'policy'): Map<Policy, string> {
  if (!('innerPolicies' in policy)) return new Map([[policy, place]])
  const inner = policy.innerPolicies.map((part, index) => [
    ...placesIn(part, `${place}.innerPolicies.${index}`),
  ])
  return new Map(inner.flat())
}

function compilePart(
  policy: Policy,
  devicePaths: readonly string[],
  places: Places,
): CompiledPolicy[] {
  if ('modelPathMatcher' in policy) {
    return matching(policy.modelPathMatcher, devicePaths).map((path) => ({
      instance: path,
      ...compiledFrom(policy, [path], places),
    }))
  }
  if (policy.type !== 'OR_OPERATOR')
    return [{ instance: '', ...compiledFrom(policy, devicePaths, places) }]
  const impulses = policy.innerPolicies.filter(hasImpulse)
  const levels = policy.innerPolicies.filter((part) => !hasImpulse(part))
  return [
    ...(levels.length > 0
      ? [
          {
            instance: '',
            ...compiledFrom({ ...policy, innerPolicies: levels }, devicePaths, places),
          },
        ]
      : []),
    ...impulses.flatMap((part) => {
      const index = policy.innerPolicies.indexOf(part)
      return compilePart(part, devicePaths, places).map(({ instance, ...compiled }) => ({
        instance: `${part.uuid ?? index}/${instance}`,
        ...compiled,
      }))
    }),
  ]
}

const hasImpulse = (policy: Policy): boolean =>
  'innerPolicies' in policy
    ? policy.innerPolicies.some(hasImpulse)
    : policy.type === 'ON_CHANGED' || policy.type === 'PASSTHROUGH'

function matching(matcher: string, devicePaths: readonly string[]) {
  const read = readPattern(matcher)
  if (!read.ok) return []
  const trie = trieOf([read.pattern])
  return devicePaths.filter((path) => isInTrie(trie, path))
}

function compiledFrom(policy: Policy, devicePaths: readonly string[], places: Places) {
  const list = new InputList()
  const leaves: CompiledLeaf[] = []
  const policies: LeafPolicy[] = []
  const tree = treeOfPolicy(policy, { devicePaths, list, leaves, policies, places })
  const signals = [{ tree, onMs: 0, offMs: 0, isScheduled: false }]
  const rule: CompiledRule = {
    ...finished(leaves, list, signals),
    severities: [0],
    shown: [0],
    wordInputs: [],
    meaning: JSON.stringify([policy, list.inputs]),
  }
  return { rule, leaves: policies }
}

type Building = {
  devicePaths: readonly string[]
  list: InputList
  leaves: CompiledLeaf[]
  policies: LeafPolicy[]
  places: Places
}

function treeOfPolicy(policy: Policy, building: Building): Tree {
  if ('innerPolicies' in policy) {
    const parts = policy.innerPolicies.map((part) => treeOfPolicy(part, building))
    return { op: policy.type === 'AND_OPERATOR' ? 'all' : 'any', parts }
  }
  const { devicePaths, list, leaves, policies, places } = building
  const about = { type: policy.type, place: places.get(policy) ?? 'policy' }
  if (policy.type === 'CONNECTION') {
    policies.push(about)
    const input = list.indexOf({ kind: 'connection', source: policy.source })
    return leaves.push(isTrue(input, policy.status === 'ON', policy.time)) - 1
  }
  const paths = matching(policy.modelPathMatcher, devicePaths)
  const parts = paths.map((path) => {
    const input = list.indexOf({ kind: 'path', path })
    policies.push(about)
    return leaves.push(leafOfPolicy(policy, input)) - 1
  })
  return { op: 'any', parts }
}

type PathPolicy = Exclude<SinglePolicy, { type: 'CONNECTION' }>

function leafOfPolicy(policy: PathPolicy, input: number): CompiledLeaf {
  const common = { inputs: [input], forMs: 'time' in policy ? (policy.time ?? 0) : 0 }
  const read = (v: readonly FormulaValue[]) => v[input] ?? null
  switch (policy.type) {
    case 'ANALOG_BAND': {
      const band = bandOf(policy)
      const compare = compareBand(band, band, policy.inside)
      return { ...common, kind: 'compare', read, compare, stays: staysWithBand(band, band) }
    }
    case 'ON_LEVEL': {
      const isExit = policy.mode === 'ON_EXIT'
      const gate = { skips: policy.skipFirstChanges, isExit }
      return { ...common, kind: 'compare', read, compare: levelCompare(policy, !isExit), gate }
    }
    case 'ON_CHANGED':
      return { ...common, kind: 'changed', change: changeOf(policy) }
    case 'PASSTHROUGH':
      return { ...common, kind: 'changed', change: { differs: always, everyValue: true, skips: 0 } }
  }
}

type BandPolicy = Extract<SinglePolicy, { type: 'ANALOG_BAND' | 'ON_LEVEL' }>

const bandOf = ({ min = -Infinity, max = Infinity, minOrEqual, maxOrEqual }: BandPolicy) => ({
  low: min,
  high: max,
  openLow: !minOrEqual,
  openHigh: !maxOrEqual,
})

/** Level of a value: a truth, a band, or reaching a number. */
function levelCompare(policy: Extract<BandPolicy, { type: 'ON_LEVEL' }>, wanted: boolean): Compare {
  const { level = 0, levelBool, min, max } = policy
  const hasBand = min !== undefined || max !== undefined
  const band = bandOf(policy)
  return (value) => {
    if (value === null || typeof value === 'string') return null
    if (levelBool !== undefined) return (Boolean(value) === levelBool) === wanted
    const number = Number(value)
    return (hasBand ? isInBand(number, band) : number >= level) === wanted
  }
}

const always = () => true

function changeOf(policy: Extract<SinglePolicy, { type: 'ON_CHANGED' }>): ChangeRule {
  const { changeMask, deadband, isPercentage, skipFirstNChanges: skips } = policy
  if (changeMask === 'TIMESTAMP_CHANGED') return { differs: always, everyValue: false, skips }
  const differs = (before: FormulaValue, after: FormulaValue) => {
    if (typeof before !== 'number' || typeof after !== 'number') return before !== after
    const band = isPercentage ? (Math.abs(before) * deadband) / 100 : deadband
    return Math.abs(after - before) > band
  }
  return { differs, everyValue: false, skips }
}
