import './TimeChartTable.css'
import { useIntl } from 'react-intl'
import { alignColumns, type ChartSeries } from './chart-data.ts'
import type { TimeWindow } from './time-range.ts'
import { readableNumber } from './number-format.ts'
import { useWords } from './use-words.ts'

type Props = {
  series: readonly ChartSeries[]
  window: TimeWindow
  zone: string
  height: number
}
const mostRows = 500

/** The points of a chart as rows, newest first; at most 500 of them. */
export function TimeChartTable({ series, window, zone, height }: Props) {
  const intl = useIntl()
  const t = useWords()
  const shown = series.filter(({ hidden }) => !hidden)
  const { times, columns } = alignColumns(
    shown.map(({ times: at, values }) => ({ times: at, columns: [values] })),
  )
  const rows = Array.from(times)
    .map((at, index) => ({ at, values: columns.map((column) => column[index]) }))
    .filter(({ at, values }) => at >= window.from && at <= window.to && values.some(isKnown))
    .toReversed()
  const textOf = (one: ChartSeries | undefined, value: number | null | undefined) => {
    if (!isKnown(value)) return '—'
    return one?.states?.[value] ?? readableNumber(value, intl.locale)
  }
  return (
    <section
      className="chart-table"
      style={{ maxHeight: height }}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
      tabIndex={0}
      aria-label={t('charts.asTable')}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">{t('charts.time', { zone })}</th>
            {shown.map(({ id, name, unit }) => (
              <th scope="col" key={id}>
                {name}
                {unit && ` (${unit})`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, mostRows).map(({ at, values }) => (
            <tr key={at}>
              <td>
                {intl.formatDate(at, { dateStyle: 'short', timeStyle: 'medium', timeZone: zone })}
              </td>
              {values.map((value, index) => (
                <td key={shown[index]?.id}>{textOf(shown[index], value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > mostRows && (
        <p>{t('charts.moreRows', { shown: mostRows, all: rows.length })}</p>
      )}
    </section>
  )
}

const isKnown = (value: number | null | undefined): value is number =>
  value !== null && value !== undefined
