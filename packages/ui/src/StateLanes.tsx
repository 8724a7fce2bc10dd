import './StateLanes.css'
import { useElementSize } from '@mantine/hooks'
import { useIntl } from 'react-intl'
import { useNow } from './RelativeTime.tsx'
import { chartColors } from './series-colors.ts'
import type { ChartSeries } from './chart-data.ts'
import { type Stretch, stretchesOf } from './state-lanes.ts'
import type { TimeWindow } from './time-range.ts'
import { useWords } from './use-words.ts'

type Props = {
  label: string
  series: readonly ChartSeries[]
  window: TimeWindow
  zone: string
  /** Room at both sides, so that the lanes stand under a chart with axes of this width. */
  inset: { left: number; right: number }
}

/** A lane for each series of states: what held, and from when until when. */
export function StateLanes({ label, series, window, zone, inset }: Props) {
  const { ref, width } = useElementSize()
  const length = window.to - window.from
  const least = (length / Math.max(100, width)) * 2
  return (
    <section
      ref={ref}
      className="chart-lanes"
      aria-label={label}
      style={{ paddingLeft: inset.left, paddingRight: inset.right }}
    >
      {series
        .filter(({ hidden }) => !hidden)
        .map((one) => (
          <Lane key={one.id} one={one} window={window} zone={zone} least={least} />
        ))}
    </section>
  )
}

type LaneProps = { one: ChartSeries; window: TimeWindow; zone: string; least: number }

function Lane({ one, window, zone, least }: LaneProps) {
  const t = useWords()
  const intl = useIntl()
  const until = Math.min(window.to, useNow())
  const spans = stretchesOf(one, window, { least, until })
  const share = (ms: number) => `${(ms / (window.to - window.from)) * 100}%`
  const time = (at: number) =>
    intl.formatDate(at, { dateStyle: 'short', timeStyle: 'medium', timeZone: zone })
  const wordOf = ({ label }: Stretch) => label ?? t('charts.severalStates')
  const last = spans.at(-1)
  return (
    <div className="chart-lane">
      <span className="chart-lane-name">
        <i className="chart-mark" style={{ background: one.color }} />
        {one.name}
        <b>{last ? wordOf(last) : '—'}</b>
      </span>
      <div
        className="chart-lane-track"
        role="img"
        aria-label={`${one.name}: ${spans
          .slice(-20)
          .map((span) => `${wordOf(span)} ${time(span.from)}`)
          .join(', ')}`}
      >
        {spans.map((span) => (
          <i
            key={span.from}
            data-quiet={isQuiet(one, span) || undefined}
            data-doubtful={span.doubtful}
            title={`${wordOf(span)} · ${time(span.from)} – ${time(span.to)}`}
            style={{
              left: share(span.from - window.from),
              width: share(span.to - span.from),
              ...(!isQuiet(one, span) && { backgroundColor: colorOf(one, span) }),
            }}
          >
            {span.to - span.from > least * 14 && wordOf(span)}
          </i>
        ))}
      </div>
    </div>
  )
}

const isSwitch = ({ states }: ChartSeries) => states?.length === 2
/** Off, and what is too short to be told apart, have no colour. */
const isQuiet = (one: ChartSeries, { state, label }: Stretch) =>
  label === undefined || (isSwitch(one) && state === 0)

function colorOf(one: ChartSeries, { state }: Stretch) {
  if (isSwitch(one)) return one.color
  const start = Math.max(0, chartColors.indexOf(one.color))
  return chartColors[(start + state) % chartColors.length]
}
