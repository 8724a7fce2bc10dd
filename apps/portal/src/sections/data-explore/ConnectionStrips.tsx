import { formatTime } from '@longreach/ui/format'
import { useNow } from '@longreach/ui/RelativeTime'
import type { TimeWindow } from '@longreach/ui/time-range'
import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import type { Presence } from '../../parts/history/connections.ts'
import classes from './ConnectionStrips.module.css'

type Props = {
  devices: readonly string[]
  labelOf: (device: string) => string
  presences: ReadonlyMap<string, readonly Presence[]>
  window: TimeWindow
  zone: string
  /** Room at both sides, so that the strips stand under a chart with axes of this width. */
  inset: { left: number; right: number }
}

/** A line for each device: when it was connected in the window, when away, and of when nothing is known. */
export function ConnectionStrips({ devices, labelOf, presences, window, zone, inset }: Props) {
  const t = useWords()
  return (
    <section
      className={classes.strips}
      aria-label={t('data-explore.connections')}
      style={{ paddingLeft: inset.left, paddingRight: inset.right }}
    >
      {devices.map((device) => (
        <Strip
          key={device}
          name={labelOf(device)}
          presences={presences.get(device)}
          window={window}
          zone={zone}
        />
      ))}
    </section>
  )
}

type StripProps = {
  name: string
  /** Undefined while they are asked for. */
  presences: readonly Presence[] | undefined
  window: TimeWindow
  zone: string
}

function Strip({ name, presences, window, zone }: StripProps) {
  const t = useWords()
  const { locale } = useIntl()
  const now = useNow()
  const share = (ms: number) => `${(ms / (window.to - window.from)) * 100}%`
  const end = Math.min(window.to, now)
  const known = presences ?? none
  const spans = known.flatMap(({ from, to, connected }, index) => {
    // What was so when it was asked is so until something else is heard.
    const until = index === known.length - 1 ? end : Math.min(to, end)
    const start = Math.max(from, window.from)
    return until > start ? [{ from: start, to: until, connected }] : []
  })
  const time = (at: number) => formatTime(new Date(at), locale, zone)
  const wordOf = (connected: boolean) =>
    connected ? t('data-explore.online') : t('data-explore.offline')
  const told = spans.map(({ from, connected }) => `${wordOf(connected)} ${time(from)}`)
  const unknown = presences ? t('data-explore.noConnection') : '—'
  const text = told.length === 0 ? unknown : told.slice(-20).join(', ')
  const last = spans.at(-1)
  return (
    <div className={classes.strip}>
      <span className={classes.stripName}>
        <span>{name}</span>
        <b>{last ? wordOf(last.connected) : unknown}</b>
      </span>
      <div className={classes.stripTrack} role="img" aria-label={`${name}: ${text}`}>
        {spans.map(({ from, to, connected }) => (
          <i
            key={from}
            data-online={connected || undefined}
            title={`${wordOf(connected)} · ${time(from)} – ${time(to)}`}
            style={{ left: share(from - window.from), width: share(to - from) }}
          />
        ))}
      </div>
    </div>
  )
}

const none: readonly Presence[] = []
