import { isLeaf, type Leaf, type Level, type Rule } from '@longreach/rules/rule'
import type { FrequentRule } from './report-calls.ts'

/** Change of a rule against too many alarms: more delay, or a dead-band. */
export type Mend = { kind: 'delay'; delayMs: number } | { kind: 'band'; band: number }

const delaysS = [5, 10, 20, 30, 60, 120, 300, 600]

type Distribution = Pick<FrequentRule, 'lasted80S' | 'beyond90'>

/** Mends that what happened proposes; none where alarms last long and values stay away from the limit. */
export function mendsOf(rule: Rule, { lasted80S, beyond90 }: Distribution): Mend[] {
  const mends: Mend[] = []
  const delayS = lasted80S === null ? undefined : delaysS.find((one) => one >= lasted80S)
  if (delayS !== undefined) mends.push({ kind: 'delay', delayMs: delayOf(rule) + delayS * 1_000 })
  const leaf = limitLeaf(rule)
  if (leaf && beyond90 !== null && beyond90 > 0) {
    // A value that hovers about its limit is as far below it as above.
    mends.push({ kind: 'band', band: exact(bandOf(rule, leaf) + roundUp(2 * beyond90)) })
  }
  return mends
}

/** Rule with a mend. */
export function mended(rule: Rule, mend: Mend): Rule {
  if (mend.kind === 'delay') {
    return rule.kind === 'silence'
      ? { ...rule, when: { ...rule.when, forMs: mend.delayMs } }
      : { ...rule, onDelayMs: mend.delayMs }
  }
  const leaf = limitLeaf(rule)
  if (!leaf || rule.kind !== 'condition') return rule
  const sign = leaf.op.startsWith('>') ? -1 : 1
  const cleared = <T extends Leaf | Level>(one: T): T =>
    typeof one.value === 'number' ? { ...one, clear: exact(one.value + sign * mend.band) } : one
  const when = leaf.otherPath === undefined ? cleared(leaf) : { ...leaf, clear: mend.band }
  return { ...rule, when, levels: rule.levels.map(cleared) }
}

const delayOf = (rule: Rule) => (rule.kind === 'silence' ? rule.when.forMs : rule.onDelayMs)

/** Comparison that a dead-band is possible at: the only one of its rule, by greater or less. */
function limitLeaf(rule: Rule): Leaf | undefined {
  if (rule.kind !== 'condition' || !isLeaf(rule.when)) return undefined
  const { when } = rule
  if (!['>', '>=', '<', '<='].includes(when.op)) return undefined
  const hasLimit = [when, ...rule.levels].some(({ value }) => typeof value === 'number')
  return hasLimit || when.otherPath !== undefined ? when : undefined
}

/** Dead-band that a rule has already. */
function bandOf({ levels }: Rule, leaf: Leaf) {
  if (leaf.otherPath !== undefined) return typeof leaf.clear === 'number' ? leaf.clear : 0
  const bands = [leaf, ...levels].map(({ value, clear }) =>
    typeof value === 'number' && typeof clear === 'number' ? Math.abs(value - clear) : 0,
  )
  return Math.max(...bands)
}

/** The next of 1, 2 and 5, times a power of ten. */
function roundUp(value: number) {
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 5, 10].find((one) => one * power >= value * (1 - 1e-9)) ?? 10
  return step * power
}

/** Number without what binary fractions add: 0.1 + 0.2 is 0.3. */
const exact = (value: number) => Number(value.toPrecision(12))

/** Fields of the address of a rule's page that hold a mend. */
export const mendSearch = (mend: Mend) =>
  mend.kind === 'delay' ? { delay: String(mend.delayMs) } : { band: String(mend.band) }

/** Mend that the address of a rule's page holds. */
export function mendIn({ delay, band }: { delay: string | undefined; band: string | undefined }) {
  const [delayMs, width] = [Number(delay), Number(band)]
  if (delay !== undefined && Number.isInteger(delayMs) && delayMs > 0) {
    return { kind: 'delay', delayMs } as const
  }
  return band !== undefined && Number.isFinite(width) && width > 0
    ? ({ kind: 'band', band: width } as const)
    : undefined
}
