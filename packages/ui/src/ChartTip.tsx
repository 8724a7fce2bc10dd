import './ChartTip.css'
import { useIntl } from 'react-intl'
import { valueText } from './ChartCaption.tsx'
import { type ChartSeries, valueAt } from './chart-data.ts'
import type { ChartLayout } from './chart-options.ts'
import type { TimeWindow } from './time-range.ts'

type Props = {
  series: readonly ChartSeries[]
  /** Time under the pointer, in ms since 1970; absent: nothing is shown. */
  at: number | undefined
  window: TimeWindow
  zone: string
  layout: ChartLayout | undefined
}

/** Time and values of all series beside the cross-hair, on the side that has room. */
export function ChartTip({ series, at, window, zone, layout }: Props) {
  const intl = useIntl()
  if (at === undefined || layout === undefined) return null
  const part = (at - window.from) / Math.max(1, window.to - window.from)
  if (part < 0 || part > 1) return null
  const x = layout.left + part * layout.width
  const side = part > 0.5 ? 'before' : 'after'
  return (
    <div className="chart-tip" data-side={side} style={{ left: x, top: layout.top }} aria-hidden>
      <time>
        {intl.formatDate(at, { dateStyle: 'short', timeStyle: 'medium', timeZone: zone })}
      </time>
      {series
        .filter(({ hidden }) => !hidden)
        .map((one) => {
          const value = valueAt(one, at)
          return (
            <span key={one.id}>
              <i className="chart-mark" style={{ background: one.color }} />
              <span className="chart-tip-name">{one.name}</span>
              <b>{value === undefined ? '—' : valueText(one, value, intl.locale)}</b>
            </span>
          )
        })}
    </div>
  )
}
