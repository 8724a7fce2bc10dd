import { valueText } from '@longreach/ui/ChartCaption'
import type { ChartSeries } from '@longreach/ui/chart-data'
import { formatTime } from '@longreach/ui/format'
import { seriesDigits } from '@longreach/ui/number-format'
import { type MessageId, useWords } from '@longreach/ui/use-words'
import { useMemo } from 'react'
import { useIntl } from 'react-intl'
import { AlignedNumber } from './AlignedNumber.tsx'
import classes from './data-explore.module.css'
import type { ExploreState } from './explore-url.ts'
import { type Statistics, statisticsOf } from './statistics.ts'
import type { Explored } from './use-explored.ts'
import { useLengthText } from './use-length-text.ts'
import { useStatisticsLines } from './use-statistics-lines.ts'

type Props = { state: ExploreState; explored: Explored }
type Figure = keyof Statistics

const rows: readonly { figure: Figure; word: MessageId; kind?: 'time' | 'count' | 'length' }[] = [
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
export function StatisticsTable({ state, explored }: Props) {
  const { zone } = state
  const t = useWords()
  const lengthText = useLengthText()
  const { window, resolution } = explored
  const { series, exact } = useStatisticsLines(explored, state)
  const shown = series.filter(({ hidden }) => !hidden)
  const all = useMemo(
    () => new Map(series.map((one) => [one.id, statisticsOf(one, window)])),
    [series, window],
  )
  const digits = useMemo(
    () => new Map(series.map(({ id, values }) => [id, seriesDigits(values)])),
    [series],
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
                  {one.unit && ` (${one.unit})`}
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
                      digits={digits.get(one.id) ?? 0}
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
  digits: number
  zone: string
}

function FigureText({ series, value, figure, kind, digits, zone }: FigureProps) {
  const { locale } = useIntl()
  const lengthText = useLengthText()
  if (value === undefined) return '—'
  if (kind === 'count') return <AlignedNumber value={value} digits={0} most={digits} />
  if (kind === 'time') return formatTime(new Date(value), locale, zone)
  if (kind === 'length') return value === 0 ? '—' : lengthText(Math.round(value / 1000) * 1000)
  // Of states only what held at the ends is a value.
  if (series.states && figure !== 'first' && figure !== 'last') return '—'
  if (series.states) return valueText(series, value, locale)
  return <AlignedNumber value={value} digits={digits} />
}
