import { ActionIcon, Tooltip } from '@mantine/core'
import { IconChartLine, IconTable } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { canvasColors, watchScheme } from './chart-colors.ts'
import { alignColumns, type ChartSeries, factsOf, valueAt } from './chart-data.ts'
import { type ChartSetting, chartOptions, useStepPaths } from './chart-options.ts'
import { readableNumber } from './number-format.ts'
import './TimeChart.css'
import { TimeChartTable } from './TimeChartTable.tsx'
import type { TimeWindow } from './time-range.ts'

/** The eight colours of series, in order; they never follow the organization's colour. */
export const chartColors = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `var(--chart-${number})`)

type Props = {
  /** What the chart shows, for those who do not see it. */
  label: string
  series: readonly ChartSeries[]
  window: TimeWindow
  zone: string
  height: number
  onZoom?: (window: TimeWindow) => void
  onZoomOut?: () => void
  shades?: readonly TimeWindow[]
  /** Small charts show no caption line and no table. */
  plain?: boolean
}

/**
 * Lines over time: zoom by dragging or with + and -, out by double click or Escape, a cross-hair by
 * mouse or arrows, a table for those who read better.
 */
export function TimeChart(props: Props) {
  const { label, series, window, zone, height, plain } = props
  const intl = useIntl()
  const [asTable, setAsTable] = useState(false)
  const [cursorAt, setCursorAt] = useState<number>()
  const summary = useSummary(series, window)
  const plot = usePlot(props, setCursorAt)
  const moveCursor = (event: React.KeyboardEvent) => {
    const length = window.to - window.from
    const at = cursorAt ?? window.to
    const moves: Record<string, () => void> = {
      ArrowLeft: () =>
        plot.pointAt(Math.max(window.from, at - length / (event.shiftKey ? 10 : 60))),
      ArrowRight: () => plot.pointAt(Math.min(window.to, at + length / (event.shiftKey ? 10 : 60))),
      '+': () => props.onZoom?.(around(cursorAt ?? (window.from + window.to) / 2, length / 2)),
      '-': () => props.onZoomOut?.(),
      Escape: () => props.onZoomOut?.(),
    }
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    move()
  }
  const empty = series.every((one) => !factsOf(one, window))
  return (
    <section className="chart" aria-label={label}>
      {!plain && (
        <div className="chart-caption">
          <Caption series={series} at={cursorAt} window={window} zone={zone} />
          <Tooltip
            label={intl.formatMessage({ id: asTable ? 'charts.asChart' : 'charts.asTable' })}
          >
            <ActionIcon
              className="chart-actions"
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={intl.formatMessage({ id: asTable ? 'charts.asChart' : 'charts.asTable' })}
              onClick={() => setAsTable(!asTable)}
            >
              {asTable ? <IconChartLine size={16} /> : <IconTable size={16} />}
            </ActionIcon>
          </Tooltip>
        </div>
      )}
      {asTable && <TimeChartTable series={series} window={window} zone={zone} height={height} />}
      <div style={asTable ? { display: 'none' } : { position: 'relative' }}>
        {!plain && <Units series={series} />}
        <div
          ref={plot.ref}
          className="chart-plot"
          style={{ height }}
          // A chart is operated with keys like a slider; no narrower role describes it.
          role="application"
          aria-roledescription={intl.formatMessage({ id: 'charts.role' })}
          aria-label={`${label}. ${summary}`}
          tabIndex={0}
          onKeyDown={moveCursor}
        />
        {empty && (
          <p className="chart-empty">
            <FormattedMessage id="charts.empty" />
          </p>
        )}
      </div>
    </section>
  )
}

const around = (middle: number, length: number): TimeWindow => ({
  from: Math.round(middle - length / 2),
  to: Math.round(middle + length / 2),
})

/** Keeps one uPlot in an element: made anew when its lines change, fed when their values do. */
function usePlot(props: Props, onCursor: (at: number | undefined) => void) {
  const { series, window, zone, height } = props
  const { locale } = useIntl()
  const ref = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(undefined)
  const setting = useRef<ChartSetting>(undefined)
  const latest = useRef(props)
  latest.current = props
  const data = useMemo(() => dataOf(series), [series])
  const shape = JSON.stringify([
    zone,
    locale,
    series.map(({ id, color, axis, step, hidden, states, low }) => [
      id,
      color,
      axis,
      step,
      hidden,
      states,
      !!low,
    ]),
  ])

  useEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const colors = canvasColors(element)
    const now = (): ChartSetting => {
      const { series: lines, window: shown, shades = [] } = latest.current
      return { series: lines, window: shown, shades, zone, locale, colorOf: colors.colorOf }
    }
    setting.current = now()
    useStepPaths(uPlot.paths)
    const actions = {
      cursor: onCursor,
      zoom: (next: TimeWindow) => latest.current.onZoom?.(next),
      zoomOut: () => latest.current.onZoomOut?.(),
    }
    const size = { width: Math.max(60, element.clientWidth), height }
    const options = chartOptions(now, actions, size)
    options.tzDate = (at) => uPlot.tzDate(new Date(at), zone === 'UTC' ? 'Etc/UTC' : zone)
    const made = new uPlot(options, dataOf(latest.current.series), element)
    chart.current = made
    const resized = new ResizeObserver(() =>
      made.setSize({ width: Math.max(60, element.clientWidth), height }),
    )
    resized.observe(element)
    const unwatch = watchScheme(() => {
      colors.forget()
      made.redraw(false, true)
    })
    return () => {
      unwatch()
      resized.disconnect()
      made.destroy()
      chart.current = undefined
      element.replaceChildren()
    }
  }, [shape, height, zone, locale, onCursor])

  useEffect(() => {
    chart.current?.setData(data)
  }, [data, window.from, window.to, props.shades])

  const pointAt = (at: number) => {
    const made = chart.current
    if (made) made.setCursor({ left: made.valToPos(at, 'x'), top: 10 })
  }
  return { ref, pointAt }
}

function dataOf(series: readonly ChartSeries[]): uPlot.AlignedData {
  const { times, columns } = alignColumns(
    series.map(({ times: at, values, low, high }) => ({
      times: at,
      columns: low && high ? [values, high, low] : [values],
    })),
  )
  return [times, ...columns]
}

type CaptionProps = Pick<Props, 'series' | 'window' | 'zone'> & { at: number | undefined }

/** Name and value of each series at the cross-hair, or the newest values. */
function Caption({ series, at, window, zone }: CaptionProps) {
  const intl = useIntl()
  const shown = series.filter(({ hidden }) => !hidden)
  return (
    <>
      <time>
        {at === undefined
          ? zone
          : intl.formatDate(at, { dateStyle: 'short', timeStyle: 'medium', timeZone: zone })}
      </time>
      {shown.map((one) => {
        const value = at === undefined ? factsOf(one, window)?.last : valueAt(one, at)
        return (
          <span key={one.id}>
            <i className="chart-mark" style={{ background: one.color }} />
            <span className="chart-name">{one.name}</span>
            <b>{value === undefined ? '—' : valueText(one, value, intl.locale)}</b>
          </span>
        )
      })}
    </>
  )
}

/** A value of a series for reading, with its word or its unit. */
export const valueText = ({ states, unit }: ChartSeries, value: number, locale: string) =>
  states?.[value] ?? readableNumber(value, locale) + (unit ? `\u00a0${unit}` : '')

function Units({ series }: Pick<Props, 'series'>) {
  const unitsOf = (side: 'left' | 'right') =>
    [
      ...new Set(
        series.flatMap(({ axis = 'left', unit, hidden }) =>
          axis === side && unit && !hidden ? [unit] : [],
        ),
      ),
    ].join(', ')
  const [left, right] = [unitsOf('left'), unitsOf('right')]
  if (!left && !right) return null
  return (
    <div className="chart-units" aria-hidden>
      <span>{left}</span>
      <span>{right}</span>
    </div>
  )
}

/** One sentence for each series: lowest, highest, mean and last value. */
function useSummary(series: readonly ChartSeries[], window: TimeWindow) {
  const intl = useIntl()
  return series
    .filter(({ hidden }) => !hidden)
    .map((one) => {
      const facts = factsOf(one, window)
      if (!facts) return intl.formatMessage({ id: 'charts.summaryNone' }, { name: one.name })
      const text = (value: number) => valueText(one, value, intl.locale)
      const { min, max, mean, last } = facts
      return intl.formatMessage(
        { id: 'charts.summary' },
        { name: one.name, min: text(min), max: text(max), mean: text(mean), last: text(last) },
      )
    })
    .join(' ')
}
