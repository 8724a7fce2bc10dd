import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconChartLine, IconTable } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react'
import { type IntlShape, useIntl } from 'react-intl'
import 'uplot/dist/uPlot.min.css'
import { type ChartSeries, factsOf, valueAt } from './chart-data.ts'
import { ChartPlot } from './chart-plot.ts'
import { readableNumber } from './number-format.ts'
import './TimeChart.css'
import { TimeChartTable } from './TimeChartTable.tsx'
import type { TimeWindow } from './time-range.ts'
import { useWords } from './use-words.ts'

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
  const t = useWords()
  const summaryId = useId()
  const [asTable, setAsTable] = useState(false)
  const [cursorAt, setCursorAt] = useState<number>()
  const summary = useSummary(series, window)
  const ref = useRef<HTMLDivElement>(null)
  const pointAt = usePlot(ref, props, setCursorAt)
  const moveCursor = (event: React.KeyboardEvent) => {
    const length = window.to - window.from
    const at = cursorAt ?? window.to
    const moves: Record<string, () => void> = {
      ArrowLeft: () => pointAt(Math.max(window.from, at - length / (event.shiftKey ? 10 : 60))),
      ArrowRight: () => pointAt(Math.min(window.to, at + length / (event.shiftKey ? 10 : 60))),
      '+': () => props.onZoom?.(around(cursorAt ?? (window.from + window.to) / 2, length / 2)),
      '-': () => props.onZoomOut?.(),
      Escape: () => props.onZoomOut?.(),
    }
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    move()
  }
  const other = asTable ? t('charts.asChart') : t('charts.asTable')
  const empty = series.every((one) => !factsOf(one, window))
  return (
    <section className="chart" aria-label={label}>
      {!plain && (
        <div className="chart-caption">
          <Caption series={series} at={cursorAt} window={window} zone={zone} />
          <Tooltip label={other}>
            <ActionIcon
              className="chart-actions"
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={other}
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
          ref={ref}
          className="chart-plot"
          style={{ height }}
          // The cross-hair is a slider along time: arrows move it, its text says the values there.
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input cannot hold a drawing
          role="slider"
          aria-roledescription={t('charts.role')}
          aria-label={label}
          aria-describedby={summaryId}
          aria-valuemin={window.from}
          aria-valuemax={window.to}
          aria-valuenow={Math.round(cursorAt ?? window.to)}
          aria-valuetext={cursorText(intl, props, cursorAt ?? window.to)}
          tabIndex={0}
          onKeyDown={moveCursor}
        />
        <VisuallyHidden id={summaryId}>{summary}</VisuallyHidden>
        {empty && <p className="chart-empty">{t('charts.empty')}</p>}
      </div>
    </section>
  )
}

const around = (middle: number, length: number): TimeWindow => ({
  from: Math.round(middle - length / 2),
  to: Math.round(middle + length / 2),
})

/** Keeps one chart in an element. Returns what puts its cross-hair somewhere. */
function usePlot(
  ref: React.RefObject<HTMLDivElement | null>,
  { series, window, zone, shades = none, onZoom, onZoomOut }: Props,
  onCursor: (at: number | undefined) => void,
) {
  const { locale } = useIntl()
  const plot = useRef<ChartPlot>(undefined)
  const content = useMemo(
    () => ({ series, window, zone, locale, shades }),
    [series, window, zone, locale, shades],
  )
  const zoom = useEffectEvent((next: TimeWindow) => onZoom?.(next))
  const zoomOut = useEffectEvent(() => onZoomOut?.())
  const begin = useEffectEvent(
    (element: HTMLElement) => new ChartPlot(element, content, { cursor: onCursor, zoom, zoomOut }),
  )
  useEffect(() => {
    if (!ref.current) return undefined
    const made = begin(ref.current)
    plot.current = made
    return () => made.destroy()
  }, [ref])
  useEffect(() => plot.current?.update(content), [content])
  return (at: number) => plot.current?.pointAt(at)
}

const none: readonly TimeWindow[] = []

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

/** Time and values at the cross-hair, for those who hear it. */
function cursorText(intl: IntlShape, { series, zone }: Props, at: number) {
  const time = intl.formatDate(at, { dateStyle: 'short', timeStyle: 'medium', timeZone: zone })
  const values = series.flatMap((one) => {
    const value = valueAt(one, at)
    return one.hidden || value === undefined
      ? []
      : [`${one.name} ${valueText(one, value, intl.locale)}`]
  })
  return [time, ...values].join(', ')
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
