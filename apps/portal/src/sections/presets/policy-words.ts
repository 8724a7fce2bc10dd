import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import type { Condition, Policy, Trigger } from './preset-tree-rules.ts'

const units = [
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const

/** Says a send policy as a person would. */
export function usePolicyWords() {
  const t = useWords()
  const intl = useIntl()
  const number = (value: unknown) => intl.formatNumber(Number(value))
  const interval = (ms: number) => {
    const [width, unit] = units.find(([each]) => ms % each === 0) ?? [1, 'millisecond']
    return intl.formatNumber(ms / width, { style: 'unit', unit, unitDisplay: 'short' })
  }
  const band = ({ deadband, deadbandPercent }: Trigger) => {
    if (deadbandPercent !== undefined) return `${number(deadbandPercent)} %`
    return Number(deadband ?? 0) > 0 ? number(deadband) : 'none'
  }
  const factsOf = (one: Trigger) => {
    const pauseMs = Number(one['minIntervalMs'] ?? 0)
    return {
      subject: String(one['fieldName'] ?? one['tagName'] ?? '') || 'value',
      band: band(one),
      pause: pauseMs > 0 ? interval(pauseMs) : 'none',
      mode: String(one['mode'] ?? '') || 'both',
      level:
        one['levelString'] === undefined ? number(one['level'] ?? 0) : String(one['levelString']),
    }
  }
  const trigger = (one: Trigger) => {
    if (one.type === 'timer') {
      return t('presets.say.timer', { interval: interval(Number(one['intervalMs'] ?? 0) || 1_000) })
    }
    const word = one.type.endsWith('level') ? 'presets.say.level' : 'presets.say.change'
    return t(word, factsOf(one))
  }
  const condition = (one: Condition): string => {
    if (one.operands) {
      const parts = one.operands.map(condition)
      return new Intl.ListFormat(intl.locale, {
        type: one.type === 'or' ? 'disjunction' : 'conjunction',
      }).format(parts)
    }
    const { type, low, high, tagName } = one
    const subject = String(tagName ?? '') || 'value'
    return t('presets.say.band', { type, subject, low: number(low), high: number(high) })
  }
  return (policy: Policy | undefined): string[] => {
    const { triggers = [], conditions } = policy ?? {}
    if (triggers.length === 0) return [t('presets.say.never')]
    const only = conditions ? [t('presets.say.only', { conditions: condition(conditions) })] : []
    return [...triggers.map(trigger), ...only]
  }
}
