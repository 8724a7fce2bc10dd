import { type ChartSeries, factsOf } from '@longreach/ui/chart-data'
import { formatTime } from '@longreach/ui/format'
import { valueText } from '@longreach/ui/ChartCaption'
import type { TimeWindow } from '@longreach/ui/time-range'
import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import classes from './data-explore.module.css'

type Props = { series: readonly ChartSeries[]; window: TimeWindow; zone: string }

/** Figures of each line over the window. */
export function StatisticsTable({ series, window, zone }: Props) {
  const t = useWords()
  const { locale, formatNumber } = useIntl()
  const columns = ['line', 'points', 'min', 'mean', 'max', 'last', 'lastAt'] as const
  const words = {
    line: t('data-explore.line'),
    points: t('data-explore.points'),
    min: t('data-explore.min'),
    mean: t('data-explore.mean'),
    max: t('data-explore.max'),
    last: t('data-explore.last'),
    lastAt: t('data-explore.lastAt', { zone }),
  }
  return (
    <section
      className={classes.scroll}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
      tabIndex={0}
      aria-label={t('data-explore.statistics')}
    >
      <table className={classes.statistics}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {words[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.map((one) => {
            const facts = factsOf(one, window)
            const text = (value: number | undefined) =>
              value === undefined ? '—' : valueText(one, value, locale)
            return (
              <tr key={one.id}>
                <th scope="row">
                  <i className={classes.mark} style={{ background: one.color }} /> {one.name}
                </th>
                <td>{formatNumber(facts?.count ?? 0)}</td>
                <td>{text(facts?.min)}</td>
                <td>{one.states ? '—' : text(facts?.mean)}</td>
                <td>{text(facts?.max)}</td>
                <td>{text(facts?.last)}</td>
                <td>{facts ? formatTime(new Date(facts.lastAt), locale, zone) : '—'}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}
