import { formatTime } from '@longreach/ui/format'
import { useOptionalWords, useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import { severityName } from '../../parts/alarms/severity.ts'
import { usualZone } from '../../parts/look/time-zone.ts'
import type { Why } from '../../parts/notifications/notification-calls.ts'

type Step = Why['rules'][number]['steps'][number]

/** Name of a gate, and the sentence of what it saw, in the reader's language and time zone. */
export function useGateText() {
  const t = useWords()
  const findWords = useOptionalWords()
  const { locale } = useIntl()
  const time = (at: number) => formatTime(new Date(at), locale, usualZone())
  const severity = (value: number) => t(`alarm.severity.${severityName(value)}`)

  const valuesOf = ({ values }: Step) => {
    const said: Record<string, string | number> = { ...values }
    for (const name of ['severity', 'minimum']) {
      const value = values[name]
      if (typeof value === 'number') said[name] = severity(value)
    }
    const { at, channel } = values
    if (typeof at === 'number') said['at'] = time(at)
    if (typeof channel === 'string') {
      said['channel'] = findWords(`notifications-admin.channel.${channel}`) ?? channel
    }
    return said
  }
  return {
    nameOf: ({ gate }: Step) => findWords(`why.gate.${gate}`) ?? t('why.gate.other'),
    textOf(step: Step) {
      const values = valuesOf(step)
      const known = findWords(`why.${step.state}.${step.gate}`, values)
      if (known !== undefined) return known
      const gate = findWords(`notifications-admin.gate.${step.gate}`) ?? step.gate
      return t('why.stopped.other', { channel: '', ...values, gate })
    },
  }
}
