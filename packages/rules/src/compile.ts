import { compileLeaf, InputList, NotCompilable } from './compile-leaf.ts'
import type { CompiledLeaf, CompiledRule, Signal } from './compiled.ts'
import type { Tree } from './condition-tree.ts'
import { type Condition, isLeaf, type Level, type Rule } from './rule.ts'
import { compileSchedule } from './schedule.ts'
import { starsOf } from './stars.ts'
import { pathsInTexts } from './texts.ts'

/** Leaves and inputs while a rule is compiled. */
class Compiling {
  readonly list = new InputList()
  readonly leaves: CompiledLeaf[] = []
  /** Leaves that levels share, by their comparison. */
  private readonly shared = new Map<object, number>()
  /** Comparison that has its limit from the level compiled last. */
  levelLeaf: number | undefined

  add(leaf: CompiledLeaf): number {
    this.leaves.push(leaf)
    return this.leaves.length - 1
  }

  /** Tree of a condition; a comparison without a limit gets that of the level. */
  tree(condition: Condition, level?: Level): Tree {
    if (isLeaf(condition)) {
      const isOwn = condition.value === undefined && condition.otherPath === undefined
      if (isOwn && condition.op !== 'changed') {
        this.levelLeaf = this.add(compileLeaf(condition, this.list, level))
        return this.levelLeaf
      }
      const known = this.shared.get(condition)
      if (known !== undefined) return known
      const index = this.add(compileLeaf(condition, this.list))
      this.shared.set(condition, index)
      return index
    }
    if ('not' in condition) return { op: 'not', part: this.tree(condition.not, level) }
    return 'all' in condition
      ? { op: 'all', parts: condition.all.map((part) => this.tree(part, level)) }
      : { op: 'any', parts: condition.any.map((part) => this.tree(part, level)) }
  }

  /** Tree of a rule's condition at a level. */
  treeOf(rule: Rule, level: Level): Tree {
    if (rule.kind === 'condition') return this.tree(rule.when, level)
    if (rule.kind === 'silence') {
      const { path, forMs } = rule.when
      const input = this.list.indexOf({ kind: 'arrival', ...(path !== undefined && { path }) })
      return this.add({ kind: 'silence', inputs: [input], forMs })
    }
    const input = this.list.indexOf({ kind: 'connection', source: rule.when.source })
    return this.add(isTrue(input, rule.when.status === 'ON'))
  }
}

/** Leaf that is true while an input of true and false has a value. */
export const isTrue = (input: number, wanted = true, forMs = 0): CompiledLeaf => ({
  kind: 'compare',
  inputs: [input],
  forMs,
  read: (v) => v[input] ?? null,
  compare: (value) => (value === null ? null : Boolean(value) === wanted),
})

/**
 * Compiles a valid rule. `zone` is that of the device, for schedules that follow it. Throws
 * `NotCompilable` for a rule that `validateRule` refuses.
 */
export function compileRule(
  rule: Rule,
  { zone }: { zone?: string | undefined } = {},
): CompiledRule {
  const compiling = new Compiling()
  const { list, leaves } = compiling
  const isScheduled = rule.schedule !== undefined
  const delays = { onMs: rule.onDelayMs, offMs: rule.offDelayMs, isScheduled }
  const signals: Signal[] = []
  const shown: number[] = []
  for (const level of rule.levels) {
    compiling.levelLeaf = undefined
    const tree = compiling.treeOf(rule, level)
    shown.push(compiling.levelLeaf ?? leafIndexes(tree)[0] ?? 0)
    signals.push({ tree, ...delays })
  }
  const [lowest] = signals
  if (!lowest) throw new NotCompilable('a rule has at least one level')
  if (rule.quality === 'alarm' && rule.kind === 'condition') {
    const inputs = [...new Set(leaves.flatMap((leaf) => leaf.inputs))]
    const bad = compiling.add({ kind: 'bad', inputs, forMs: 0 })
    signals[0] = { ...lowest, tree: { op: 'any', parts: [lowest.tree, bad] } }
  }
  if (rule.unless) signals.push(unlessSignal(rule.unless, compiling))
  const named = pathsInTexts(Object.values(rule.texts))
  const wordInputs = named.map((path) => list.indexOf({ kind: 'path', path }))
  return {
    ...finished(compiling.leaves, list, signals),
    severities: rule.levels.map(({ severity }) => severity),
    shown,
    wordInputs,
    meaning: meaningOf(rule, zone),
    ...(rule.schedule && { schedule: compileSchedule(rule.schedule, zone) }),
    ...(rule.chatter.max > 0 && { chatter: rule.chatter }),
  }
}

function meaningOf(
  { kind, when, levels, quality, unless, schedule }: Rule,
  zone: string | undefined,
) {
  const limits = levels.map(({ value, clear }) => [value, clear])
  const zoned = schedule?.zone === 'device' ? zone : undefined
  return JSON.stringify([kind, when, limits, quality, unless?.when, unless?.rule, schedule, zoned])
}

/** Parts of a compiled rule that follow from its leaves and inputs. */
export function finished(
  leaves: readonly CompiledLeaf[],
  { inputs, keepsPast }: InputList,
  signals: readonly Signal[],
) {
  const leavesOf = inputs.map((_, input) =>
    leaves.flatMap((leaf, index) => (leaf.inputs.includes(input) ? [index] : [])),
  )
  const paths = inputs.map((input) => ('path' in input ? (input.path ?? '') : ''))
  const hasOnlyLogic = leavesOf.every((list) => list.length > 0)
  const stars = Math.max(0, ...paths.map(starsOf))
  return { inputs, leaves, leavesOf, hasOnlyLogic, signals, keepsPast, stars }
}

function unlessSignal(
  { when, rule, onDelayMs, offDelayMs }: NonNullable<Rule['unless']>,
  compiling: Compiling,
): Signal {
  const delays = { onMs: onDelayMs, offMs: offDelayMs, isScheduled: false }
  if (when) return { tree: compiling.tree(when), ...delays }
  const input = compiling.list.indexOf({ kind: 'alarm', rule: rule ?? '' })
  return { tree: compiling.add(isTrue(input)), ...delays }
}

/** Leaves of a tree, in order. */
function leafIndexes(tree: Tree): number[] {
  if (typeof tree === 'number') return [tree]
  return tree.op === 'not' ? leafIndexes(tree.part) : tree.parts.flatMap(leafIndexes)
}
