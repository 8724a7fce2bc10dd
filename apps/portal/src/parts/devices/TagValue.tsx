import { formatTime } from '@longreach/ui/format'
import { Hint } from '@longreach/ui/Hint'
import { readableNumber } from '@longreach/ui/number-format'
import { useNow } from '@longreach/ui/RelativeTime'
import { shownValue } from '@longreach/ui/shown-unit'
import { type MessageId, type Translate, useWords } from '@longreach/ui/use-words'
import { IconAlertTriangle, IconClock, IconHelpCircle } from '@tabler/icons-react'
import { useIntl } from 'react-intl'
import type { LiveValue } from '../live/live-store.ts'
import { useLook } from '../look/look.ts'
import { useServerReach } from '../api/server-reach.ts'
import classes from './TagValue.module.css'
import { shortPath, type Tag, valueState, type ValueState } from './tags.ts'

type Props = {
  tag: Pick<Tag, 'type' | 'unit' | 'everyMs'>
  live: Pick<LiveValue, 'value' | 'at' | 'quality'> | undefined
  connected: boolean | undefined
  /** In the unit of the device, whatever the person reads elsewhere. */
  asDevice?: boolean
}
const icons = { stale: IconClock, bad: IconAlertTriangle, uncertain: IconHelpCircle }

/** The newest value with its unit; what is stale, bad or missing is told by word and mark, not by colour alone. */
export function TagValue({ tag, live, connected, asDevice = false }: Props) {
  const t = useWords()
  const { locale } = useIntl()
  const { temperature } = useLook()
  const now = useNow()
  const { reachable } = useServerReach()
  const state = valueState(live, {
    now,
    everyMs: tag.everyMs,
    connected: reachable ? connected : false,
  })
  if (state === 'none')
    return (
      <span className={classes.value} data-state="none">
        —
      </span>
    )
  const Icon = state === 'good' ? undefined : icons[state]
  const word = t(stateWords[state])
  const time = live ? formatTime(new Date(live.at), locale) : ''
  const { value, unit } = shownValue(live?.value, tag.unit, asDevice ? 'auto' : temperature)
  return (
    <Hint text={`${word} · ${time}`}>
      <span className={classes.value} data-state={state}>
        {Icon && <Icon size={14} stroke={1.8} aria-label={word} />}
        <span className={classes.figure}>
          <b>{plainValue(value, { locale, t })}</b>
          {unit && <span className={classes.unit}>{`\u00a0${unit}`}</span>}
        </span>
      </span>
    </Hint>
  )
}

/** Name of a tag, with its path if that differs. */
export function TagName({ tag }: { tag: Pick<Tag, 'name' | 'path'> }) {
  const short = shortPath(tag.path)
  return (
    <span className={classes.name} data-plain={tag.name === short || undefined}>
      <span>{tag.name}</span>
      {tag.name !== short && <small>{short}</small>}
    </span>
  )
}

/** Words of the states of a value. */
const stateWords: Record<ValueState, MessageId> = {
  good: 'live.good',
  uncertain: 'live.uncertain',
  bad: 'live.bad',
  stale: 'live.stale',
  none: 'live.none',
}

/** A value as text: switches by word, numbers in the person's writing, structures as JSON. */
export function plainValue(
  value: unknown,
  { locale, t }: { locale: string; t: Translate },
): string {
  if (value === null || value === undefined) return '—'
  if (typeof value === 'boolean') return value ? t('live.on') : t('live.off')
  if (typeof value === 'number')
    return Number.isFinite(value) ? readableNumber(value, locale) : String(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
