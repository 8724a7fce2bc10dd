import { activeLevel, announce, wordsOf } from './announce.ts'
import { applyInput } from './apply.ts'
import type { Change } from './change.ts'
import type { CompiledRule } from './compiled.ts'
import type { Given } from './input.ts'
import { type Instance, leafTruth, newInstance } from './state.ts'
import { workOf } from './step.ts'
import { judge, nextDue } from './timers.ts'
import { never, ownCore, type Work } from './work.ts'

/**
 * State of an instance for a changed rule, at a time of the device's clock. A state of the same
 * meaning lives on, pending delays too. Otherwise the rule is judged anew: an open alarm goes on if
 * the new condition holds, and ends as `rule_changed` if not.
 */
export function carryOver(
  { before, after }: { before: CompiledRule; after: CompiledRule },
  instance: Instance,
  time: number,
): { instance: Instance; changes: readonly Change[] } {
  const t = Math.max(time, instance.at)
  const isSame = before.meaning === after.meaning
  const work = isSame ? livingOn(before, after, instance) : judgedAnew(before, after, instance, t)
  if (isSame) {
    judge(work, t)
    noteSeverity(work, before, t)
  }
  const due = nextDue(work)
  const isKept = isSame && work.changes.length === 0
  const moment = { at: isKept ? instance.at : t, newest: work.newest, core: work.core }
  return {
    instance: { ...moment, due: due === never ? null : due, base: moment, ring: [] },
    changes: work.changes,
  }
}

/** Index in the old rule of each input of the new one. */
function oldInputs({ inputs }: CompiledRule, after: CompiledRule) {
  const known = new Map(inputs.map((input, index) => [JSON.stringify(input), index]))
  return after.inputs.map((input) => known.get(JSON.stringify(input)))
}

function livingOn(before: CompiledRule, after: CompiledRule, { at, newest, core }: Instance): Work {
  const old = oldInputs(before, after)
  const { v, bad, past } = newest
  const moved = {
    v: old.map((index) => (index === undefined ? null : (v[index] ?? null))),
    bad: old.map((index) => (index === undefined ? 0 : (bad[index] ?? 0))),
    ...(past && { past: old.map((index) => (index === undefined ? null : (past[index] ?? null))) }),
  }
  return workOf(after, { at, newest: moved, core })
}

/** Severity of an open alarm when the rule gives its level another one. */
function noteSeverity(work: Work, before: CompiledRule, t: number) {
  const { open } = work.core
  if (!open) return
  const severity = work.rule.severities[open.level] ?? 0
  const isSaid = work.changes.some(({ kind }) => kind === 'raise' || kind === 'severity')
  if (isSaid || severity === before.severities[open.level]) return
  work.changes.push({
    kind: 'severity',
    t,
    level: open.level,
    severity,
    words: wordsOf(work, open.level),
  })
}

function judgedAnew(
  before: CompiledRule,
  after: CompiledRule,
  instance: Instance,
  t: number,
): Work {
  const work = workOf(after, newInstance(after, t))
  const values = oldInputs(before, after).flatMap((index, input): Given[] => {
    const v = index === undefined ? null : (instance.newest.v[index] ?? null)
    return v === null ? [] : [[input, v, instance.newest.bad[index ?? 0] === 1 ? 2 : 0]]
  })
  applyInput(work, { t, values })
  const { open } = instance.core
  if (open) goOnOpen(work, before, { open, isHidden: instance.core.isHidden === true }, t)
  return work
}

type Standing = { open: NonNullable<Instance['core']['open']>; isHidden: boolean }

/** Goes on with an open alarm without the delays of a raise, or ends it. */
function goOnOpen(work: Work, before: CompiledRule, { open, isHidden }: Standing, t: number) {
  const { rule } = work
  const core = ownCore(work)
  work.changes.length = 0
  delete core.open
  delete core.isHidden
  for (let index = 0; index < rule.leaves.length; index += 1) {
    // It was open since then, so a comparison that holds has held at least as long.
    if (core.leaves[index * 2] === leafTruth.yes) core.leaves[index * 2 + 1] = open.t
  }
  judge(work, t)
  work.changes.length = 0
  delete core.open
  delete core.isHidden
  delete core.raises
  for (let level = 0; level < rule.severities.length; level += 1) {
    if ((core.signals[level * 2] ?? 0) % 2 === 1) core.signals[level * 2] = 3
  }
  const level = activeLevel(work)
  if (level === -1) {
    work.changes.push({ kind: 'return', t, reason: 'rule_changed' })
    return
  }
  const severity = rule.severities[level] ?? 0
  core.open = {
    ...open,
    level,
    top: Math.max(level, Math.min(open.top, rule.severities.length - 1)),
  }
  if (isHidden) core.isHidden = true
  if (severity !== before.severities[open.level]) {
    work.changes.push({ kind: 'severity', t, level, severity, words: wordsOf(work, level) })
  }
  announce(work, t)
}
