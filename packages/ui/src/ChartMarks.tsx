import './ChartMarks.css'
import type { ChartLayout } from './chart-options.ts'
import type { TimeWindow } from './time-range.ts'

/** Something that was noted at a time, or from one time to another. */
export type ChartMark = { id: string; from: number; to?: number; text: string }

type Props = {
  marks: readonly ChartMark[]
  window: TimeWindow
  layout: ChartLayout
  onMark?: ((id: string) => void) | undefined
}

/** Notes over a chart: a line or a band, and a flag that opens the note. */
export function ChartMarks({ marks, window, layout, onMark }: Props) {
  const share = (at: number) =>
    Math.min(1, Math.max(0, (at - window.from) / (window.to - window.from))) * 100
  const shown = marks.filter(({ from, to }) => from <= window.to && (to ?? from) >= window.from)
  return (
    <div className="chart-marks" style={layout}>
      {shown.map(({ id, from, to, text }) => {
        const left = share(from)
        return (
          <div key={id}>
            <i
              className="chart-mark-span"
              data-range={to !== undefined || undefined}
              style={{ left: `${left}%`, width: `${share(to ?? from) - left}%` }}
            />
            <button
              type="button"
              className="chart-flag"
              style={{ left: `${left}%` }}
              title={text}
              aria-label={text}
              onClick={() => onMark?.(id)}
            />
          </div>
        )
      })}
    </div>
  )
}
