import { formatTime } from '@longreach/ui/format'
import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import { lengthText } from '../../../parts/alarms/length-text.ts'
import { usualZone } from '../../../parts/look/time-zone.ts'
import { isOutAt, type RuleOverride } from './override-draft.ts'

/** Sentence about what is different from a rule on a device. */
export function useOverrideText() {
  const t = useWords()
  const { locale, formatNumber } = useIntl()
  const number = (value: unknown) => (typeof value === 'number' ? formatNumber(value) : '')
  return (override: RuleOverride, now: number) => {
    const { levels, onDelayMs, offDelayMs, outOfServiceUntil } = override
    const parts = [
      isOutAt(override, now) &&
        outOfServiceUntil !== undefined &&
        t('rule-tools.isOut', {
          time: formatTime(new Date(outOfServiceUntil), locale, usualZone()),
        }),
      ...levels.flatMap((level) => [
        number(level?.value) && `${t('alarm-rules.limit')} ${number(level?.value)}`,
        number(level?.clear) && `${t('alarm-rules.clear')} ${number(level?.clear)}`,
      ]),
      onDelayMs !== undefined && `${t('alarm-rules.onDelay')} ${lengthText(onDelayMs, locale)}`,
      offDelayMs !== undefined && `${t('alarm-rules.offDelay')} ${lengthText(offDelayMs, locale)}`,
    ].filter((part) => part !== false && part !== '')
    return parts.length === 0 ? t('rule-tools.asRule') : parts.join(' · ')
  }
}
