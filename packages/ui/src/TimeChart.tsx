import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconChartLine, IconTable } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react'
import { useIntl } from 'react-intl'
import 'uplot/dist/uPlot.min.css'
import { Caption, cursorText, Units, useSummary } from './ChartCaption.tsx'
import { type ChartSeries, isBlank } from './chart-data.ts'
import { type ChartMark, ChartMarks } from './ChartMarks.tsx'
import { ChartTip } from './ChartTip.tsx'
import type { ChartLayout } from './chart-options.ts'
import { ChartPlot } from './chart-plot.ts'
import './TimeChart.css'
import { TimeChartTable } from './TimeChartTable.tsx'
import type { TimeWindow } from './time-range.ts'
import { useWords } from './use-words.ts'

type Props = {
  /** Description of the chart for screen readers. */
  label: string
  series: readonly ChartSeries[]
  window: TimeWindow
  zone: string
  height: number
  onZoom?: (window: TimeWindow) => void
  onZoomOut?: () => void
  shades?: readonly TimeWindow[]
  /** Notes at times, above the lines. */
  marks?: readonly ChartMark[]
  onMark?: (id: string) => void
  /** Somebody wants to note something: a time marked with Shift, or the cross-hair and the key C. */
  onNote?: (span: { from: number; to?: number }) => void
  /** Charts of one key share their cross-hair. */
  syncKey?: string
  /** Least width of the value axes. */
  axisWidth?: number
  /** Values of all series beside the pointer too. */
  tip?: boolean
  /** Small charts show no caption line and no table. */
  plain?: boolean
  /** Values are on their way: nobody knows yet whether there are any. */
  pending?: boolean
}

/**
 * Lines over time: zoom by dragging or with + and -, out by double click or Escape, a cross-hair by
 * mouse or arrows, a table for those who read better.
 */
export function TimeChart(props: Props) {
  const { label, series, window, zone, height, plain, marks } = props
  const intl = useIntl()
  const t = useWords()
  const summaryId = useId()
  const [asTable, setAsTable] = useState(false)
  const [cursorAt, setCursorAt] = useState<number>()
  const [pointed, setPointed] = useState(false)
  const summary = useSummary({ series, window, zone })
  const ref = useRef<HTMLDivElement>(null)
  const [layout, setLayout] = useState<ChartLayout>()
  const pointAt = usePlot(ref, props, { onCursor: setCursorAt, onLayout: setLayout })
  const moveCursor = (event: React.KeyboardEvent) => {
    const length = window.to - window.from
    const at = cursorAt ?? window.to
    const moves: Record<string, () => void> = {
      ArrowLeft: () => pointAt(Math.max(window.from, at - length / (event.shiftKey ? 10 : 60))),
      ArrowRight: () => pointAt(Math.min(window.to, at + length / (event.shiftKey ? 10 : 60))),
      '+': () => props.onZoom?.(around(cursorAt ?? (window.from + window.to) / 2, length / 2)),
      '-': () => props.onZoomOut?.(),
      Escape: () => props.onZoomOut?.(),
      ...(props.onNote && { c: () => props.onNote?.({ from: Math.round(at) }) }),
    }
    const move = moves[event.key]
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    move()
  }
  const empty = props.pending !== true && series.every((one) => isBlank(one, window))
  return (
    <section className="chart" aria-label={label}>
      {!plain && (
        <div className="chart-caption">
          <Caption series={series} at={cursorAt} window={window} zone={zone} />
          <ViewSwitch asTable={asTable} onChange={setAsTable} />
        </div>
      )}
      {asTable && <TimeChartTable series={series} window={window} zone={zone} height={height} />}
      <div style={asTable ? { display: 'none' } : { position: 'relative' }}>
        {!plain && <Units series={series} />}
        <div
          className="chart-frame"
          onPointerEnter={() => setPointed(props.tip === true)}
          onPointerLeave={() => setPointed(false)}
        >
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
          <ChartTip {...{ series, window, zone, layout }} at={pointed ? cursorAt : undefined} />
          {layout && marks && (
            <ChartMarks marks={marks} window={window} layout={layout} onMark={props.onMark} />
          )}
        </div>
        <VisuallyHidden id={summaryId}>{summary}</VisuallyHidden>
        {empty && <p className="chart-empty">{t('charts.empty')}</p>}
      </div>
    </section>
  )
}

type SwitchProps = { asTable: boolean; onChange: (asTable: boolean) => void }

function ViewSwitch({ asTable, onChange }: SwitchProps) {
  const t = useWords()
  const other = asTable ? t('charts.asChart') : t('charts.asTable')
  return (
    <Tooltip label={other}>
      <ActionIcon
        className="chart-actions"
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={other}
        onClick={() => onChange(!asTable)}
      >
        {asTable ? <IconChartLine size={16} /> : <IconTable size={16} />}
      </ActionIcon>
    </Tooltip>
  )
}

const around = (middle: number, length: number): TimeWindow => ({
  from: Math.round(middle - length / 2),
  to: Math.round(middle + length / 2),
})

type Told = {
  onCursor: (at: number | undefined) => void
  onLayout: (layout: ChartLayout) => void
}

/** Keeps one chart in an element. Returns what puts its cross-hair somewhere. */
function usePlot(
  ref: React.RefObject<HTMLDivElement | null>,
  { series, window, zone, shades = none, onZoom, onZoomOut, ...more }: Props,
  { onCursor, onLayout }: Told,
) {
  const { locale } = useIntl()
  const { syncKey, axisWidth, onNote, plain } = more
  const axisName = plain ? undefined : zone
  const plot = useRef<ChartPlot>(undefined)
  const content = useMemo(
    () => ({ series, window, zone, locale, shades, syncKey, axisWidth, axisName }),
    [series, window, zone, locale, shades, syncKey, axisWidth, axisName],
  )
  const zoom = useEffectEvent((next: TimeWindow) => onZoom?.(next))
  const zoomOut = useEffectEvent(() => onZoomOut?.())
  const mark = useEffectEvent((span: TimeWindow) => (onNote ?? onZoom)?.(span))
  const layout = useEffectEvent((next: ChartLayout) => onLayout(next))
  const begin = useEffectEvent((element: HTMLElement) => {
    let last = ''
    const told = (next: ChartLayout) => {
      const text = JSON.stringify(next)
      if (text !== last) layout(next)
      last = text
    }
    return new ChartPlot(element, content, { cursor: onCursor, zoom, zoomOut, mark, layout: told })
  })
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
