import type { FormulaValue } from '@longreach/formula/tree'
import type { Words } from './change.ts'
import type { CompiledLeaf } from './compiled.ts'
import type { Newest } from './state.ts'
import type { Work } from './work.ts'

/** Time for which the return of a chattering alarm is held. */
const holdMs = 60_000

/** Changes of the alarm that follow from its levels and `unless`. */
export function announce(work: Work, t: number): void {
  const { rule, core } = work
  const levels = rule.severities.length
  const level = activeLevel(work)
  const isSuppressed = levels < rule.signals.length && (core.signals[levels * 2] ?? 0) >= 2
  if (!core.open) {
    if (level === -1) delete core.isHidden
    else if (!isSuppressed) raise(work, t, level)
    else if (!core.isHidden) {
      core.isHidden = true
      work.changes.push({ kind: 'suppressed', t })
    }
    return
  }
  if (isSuppressed !== (core.isHidden === true)) {
    if (isSuppressed) core.isHidden = true
    else delete core.isHidden
    work.changes.push({ kind: isSuppressed ? 'hidden' : 'shown', t })
  }
  if (level === -1) end(work, t)
  else goOn(work, t, level)
}

/** Highest level that is active, -1 for none. */
export function activeLevel({ rule, core }: Pick<Work, 'rule' | 'core'>): number {
  for (let level = rule.severities.length - 1; level >= 0; level -= 1) {
    if ((core.signals[level * 2] ?? 0) >= 2) return level
  }
  return -1
}

function raise(work: Work, t: number, level: number) {
  const { core } = work
  delete core.isHidden
  core.open = { t, level, top: level, count: 1 }
  noteRaise(work, t)
  const severity = work.rule.severities[level] ?? 0
  work.changes.push({ kind: 'raise', t, level, severity, words: wordsOf(work, level) })
}

/** The alarm holds on: again after a held return, or at another level. */
function goOn(work: Work, t: number, level: number) {
  const { core } = work
  const { open } = core
  if (!open) return
  if (core.heldUntil !== undefined) {
    delete core.heldUntil
    noteRaise(work, t)
    core.open = { ...open, count: open.count + 1 }
    work.changes.push({ kind: 'again', t, count: open.count + 1 })
  }
  if (level === open.level) return
  core.open = { ...open, ...core.open, level, top: Math.max(open.top, level) }
  const severity = work.rule.severities[level] ?? 0
  work.changes.push({ kind: 'severity', t, level, severity, words: wordsOf(work, level) })
}

/** Return, held for a minute when the alarm chatters. */
function end(work: Work, t: number) {
  const { core } = work
  if (core.heldUntil === undefined && isChattering(work, t)) {
    core.heldUntil = t + holdMs
    return
  }
  if (core.heldUntil !== undefined && core.heldUntil > t) return
  delete core.heldUntil
  delete core.open
  delete core.isHidden
  work.changes.push({ kind: 'return', t })
}

function noteRaise({ rule: { chatter }, core }: Work, t: number) {
  if (!chatter) return
  const recent = (core.raises ?? []).filter((raise) => raise > t - chatter.withinMs)
  core.raises = [...recent, t].slice(-chatter.max - 1)
}

const isChattering = ({ rule: { chatter }, core }: Work, t: number) =>
  chatter !== undefined &&
  (core.raises ?? []).filter((raise) => raise > t - chatter.withinMs).length > chatter.max

/** Value and limit of a level at the moment, and values of the paths that texts name. */
export function wordsOf(work: Work, level: number): Words {
  const { rule, newest } = work
  const leaf = rule.leaves[rule.shown[level] ?? 0]
  return { ...shownBy(leaf, newest), values: namedValues(work) }
}

function shownBy(leaf: CompiledLeaf | undefined, { v, past = [] }: Newest) {
  if (leaf?.kind === 'changed') return { value: v[leaf.inputs[0] ?? -1] ?? null, limit: null }
  if (leaf?.kind !== 'compare') return { value: null, limit: null }
  const limit = leaf.other === undefined ? leaf.limit : v[leaf.other]
  return { value: leaf.read(v, past), limit: limit ?? null }
}

function namedValues({ rule, newest }: Work) {
  const values: Record<string, FormulaValue> = {}
  for (const input of rule.wordInputs) {
    const named = rule.inputs[input]
    if (named?.kind === 'path') values[named.path] = newest.v[input] ?? null
  }
  return values
}
