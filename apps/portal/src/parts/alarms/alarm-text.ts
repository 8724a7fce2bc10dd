import { parseText, type TextPart } from '@longreach/rules/texts'
import { useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'
import { useIntl } from 'react-intl'
import { plainValue } from '../devices/TagValue.tsx'
import type { Alarm } from './alarm-calls.ts'

type Written = (value: unknown, digits?: number) => string

/** Value of an alarm in the person's language; two numbers are the ends of a band. */
export function useWrittenValue(): Written {
  const t = useWords()
  const { locale } = useIntl()
  return useCallback(
    (value, digits) => {
      const one = (single: unknown) =>
        typeof single === 'number' && digits !== undefined
          ? new Intl.NumberFormat(locale, {
              minimumFractionDigits: digits,
              maximumFractionDigits: digits,
            }).format(single)
          : plainValue(single, { locale, t })
      return Array.isArray(value) ? value.map(one).join('\u2009–\u2009') : one(value)
    },
    [locale, t],
  )
}

/** Text of an alarm: that of its rule in the person's language, else what the device said, else its name. */
export function useAlarmText() {
  const { locale } = useIntl()
  const written = useWrittenValue()
  return useCallback(
    (alarm: Alarm) => {
      const { texts, words } = alarm.longreach
      const text = texts[locale.slice(0, 2)] || texts['en'] || Object.values(texts).find(Boolean)
      if (!text) return alarm.description || alarm.name
      const inWords = (part: TextPart): string => {
        switch (part.kind) {
          case 'words':
          case 'unclosed':
            return part.text
          case 'device':
            return alarm.deviceLabel
          case 'value':
          case 'limit':
            return written(words?.[part.kind], part.digits)
          case 'path':
            return written(words?.values[part.path], part.digits)
        }
      }
      return parseText(text).map(inWords).join('')
    },
    [locale, written],
  )
}

/** Value at the raise: of a rule, else what the device sent with it. */
export const valueOf = ({ longreach, ...alarm }: Alarm): unknown =>
  longreach.words?.value ??
  alarm.value_double ??
  alarm.value_integer ??
  alarm.value_longinteger ??
  alarm.value_boolean ??
  alarm.value_string
