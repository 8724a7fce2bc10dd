import type { alarmsContract } from '@longreach/alarms/contract'
import type { Result } from '@longreach/kit/contract'
import type { Rule } from '@longreach/rules/rule'
import { drawnLimits } from './limit-lines.ts'

export type RuleOverride = Result<
  (typeof alarmsContract)['endpoints']['overrides']
>['data'][number]['override']

/** Fields of an override as they are typed; an empty one leaves the rule's. */
export type OverrideDraft = {
  levels: { value: number | ''; clear: number | '' }[]
  onDelayS: number | ''
  offDelayS: number | ''
  /** Out of service until this local time, `2026-12-24T18:00`; empty while it is in service. */
  until: string
  reason: string
}

const numberOr = (value: unknown) => (typeof value === 'number' ? value : '')

export function overrideDraft(rule: Rule, override: RuleOverride | undefined): OverrideDraft {
  const { levels = [], onDelayMs, offDelayMs, outOfServiceUntil, reason = '' } = override ?? {}
  return {
    levels: rule.levels.map((_, index) => ({
      value: numberOr(levels[index]?.value),
      clear: numberOr(levels[index]?.clear),
    })),
    onDelayS: onDelayMs === undefined ? '' : onDelayMs / 1_000,
    offDelayS: offDelayMs === undefined ? '' : offDelayMs / 1_000,
    until: outOfServiceUntil === undefined ? '' : localText(outOfServiceUntil),
    reason,
  }
}

/** Override of what was typed. */
export function overrideOf({ levels, onDelayS, offDelayS, until, reason }: OverrideDraft) {
  const given = levels.map(({ value, clear }) =>
    value === '' && clear === ''
      ? null
      : { ...(value !== '' && { value }), ...(clear !== '' && { clear }) },
  )
  const isAny = given.some((one) => one !== null)
  return {
    levels: isAny ? given : [],
    ...(onDelayS !== '' && { onDelayMs: Math.round(onDelayS * 1_000) }),
    ...(offDelayS !== '' && { offDelayMs: Math.round(offDelayS * 1_000) }),
    ...(until !== '' && { outOfServiceUntil: new Date(until).getTime() }),
    reason: reason.trim(),
  }
}

/** Limits of the rule at each level, which stand in the empty fields. */
export function limitsOfLevels(rule: Rule) {
  const lines = drawnLimits(rule)?.lines ?? []
  return rule.levels.map((_, index) => {
    const at = (kind: 'limit' | 'clear') =>
      lines.find(
        (line) =>
          line.kind === kind &&
          line.end === undefined &&
          (line.place.startsWith(`levels.${index}.`) || line.place.startsWith('when.')),
      )?.value
    return { value: at('limit'), clear: at('clear') }
  })
}

/** True for an override that takes its device out of service at a time. */
export const isOutAt = ({ outOfServiceUntil = 0 }: RuleOverride, now: number) =>
  outOfServiceUntil > now

/** Time as a field of the browser takes it, in its own zone. */
function localText(at: number) {
  const date = new Date(at)
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
