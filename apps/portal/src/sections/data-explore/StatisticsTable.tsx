import { valueText } from '@longreach/ui/ChartCaption'
import type { ChartSeries } from '@longreach/ui/chart-data'
import { formatTime } from '@longreach/ui/format'
import type { TimeWindow } from '@longreach/ui/time-range'
import { useWords } from '@longreach/ui/use-words'
import { useMemo } from 'react'
import { useIntl } from 'react-intl'
import classes from './data-explore.module.css'
import { type Statistics, statisticsOf } from './statistics.ts'
import type { Explored } from './use-explored.ts'
import { useLengthText } from './use-length-text.ts'
import { useStatisticsLines } from './use-statistics-lines.ts'

type Props = { explored: Explored; zone: string }
type Figure = keyof Statistics

const rows: readonly { figure: Figure; word: string; kind?: 'time' | 'count' | 'length' }[] = [
  { figure: 'count', word: 'data-explore.count', kind: 'count' },
  { figure: 'min', word: 'data-explore.min' },
  { figure: 'max', word: 'data-explore.max' },
  { figure: 'mean', word: 'data-explore.mean' },
  { figure: 'weighted', word: 'data-explore.weighted' },
  { figure: 'deviation', word: 'data-explore.deviation' },
  { figure: 'p5', word: 'data-explore.p5' },
  { figure: 'p50', word: 'data-explore.p50' },
  { figure: 'p95', word: 'data-explore.p95' },
  { figure: 'first', word: 'data-explore.first' },
  { figure: 'firstAt', word: 'data-explore.firstAt', kind: 'time' },
  { figure: 'last', word: 'data-explore.last' },
  { figure: 'lastAt', word: 'data-explore.lastAt', kind: 'time' },
  { figure: 'delta', word: 'data-explore.delta' },
  { figure: 'gaps', word: 'data-explore.gaps', kind: 'count' },
  { figure: 'gapMs', word: 'data-explore.gapTime', kind: 'length' },
]

/** Figures of each line over the window, of the stored values where they are few enough. */
export function StatisticsTable({ explored, zone }: Props) {
  const t = useWords()
  const lengthText = useLengthText()
  const { window, resolution } = explored
  const { series, exact } = useStatisticsLines(explored)
  const shown = series.filter(({ hidden }) => !hidden)
  const all = useMemo(
    () => new Map(series.map((one) => [one.id, statisticsOf(one, window)])),
    [series, window],
  )
  const basis = exact
    ? t('data-explore.ofStored')
    : t('data-explore.ofPoints', { length: resolution === 'raw' ? '' : lengthText(resolution) })
  return (
    <>
      <p className={classes.dim}>{basis}</p>
      <section
        className={classes.scroll}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
        tabIndex={0}
        aria-label={t('data-explore.statistics')}
      >
        <table className={classes.statistics}>
          <thead>
            <tr>
              <th scope="col">{t('data-explore.line')}</th>
              {shown.map((one) => (
                <th key={one.id} scope="col">
                  <i className={classes.mark} style={{ background: one.color }} /> {one.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ figure, word, kind }) => (
              <tr key={figure}>
                <th scope="row">{kind === 'time' ? t(word, { zone }) : t(word)}</th>
                {shown.map((one) => (
                  <td key={one.id}>
                    <FigureText
                      series={one}
                      value={all.get(one.id)?.[figure]}
                      kind={kind}
                      figure={figure}
                      window={window}
                      zone={zone}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

type FigureProps = {
  series: ChartSeries
  value: number | undefined
  figure: Figure
  kind: 'time' | 'count' | 'length' | undefined
  window: TimeWindow
  zone: string
}

function FigureText({ series, value, figure, kind, zone }: FigureProps) {
  const { locale, formatNumber } = useIntl()
  const lengthText = useLengthText()
  if (value === undefined) return '—'
  if (kind === 'count') return formatNumber(value)
  if (kind === 'time') return formatTime(new Date(value), locale, zone)
  if (kind === 'length') return value === 0 ? '—' : lengthText(Math.round(value / 1000) * 1000)
  // Of states only what held at the ends is a value.
  if (series.states && figure !== 'first' && figure !== 'last') return '—'
  return valueText(series, value, locale)
}
