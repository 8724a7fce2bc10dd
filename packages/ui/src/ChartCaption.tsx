import './ChartCaption.css'
import { type IntlShape, useIntl } from 'react-intl'
import { type ChartSeries, factsOf, valueAt } from './chart-data.ts'
import { readableNumber } from './number-format.ts'
import type { TimeWindow } from './time-range.ts'
import { useWords } from './use-words.ts'

type Shown = { series: readonly ChartSeries[]; window: TimeWindow; zone: string }

type CaptionProps = Shown & { at: number | undefined }

/** Name and value of each series at the cross-hair, or the newest values. */
export function Caption({ series, at, window, zone }: CaptionProps) {
  const intl = useIntl()
  const shown = series.filter(({ hidden, dashed }) => !hidden && !dashed)
  return (
    <>
      <time>
        {at === undefined
          ? ''
          : intl.formatDate(at, { dateStyle: 'short', timeStyle: 'medium', timeZone: zone })}
      </time>
      {shown.map((one) => {
        const value = at === undefined ? (one.total ?? newestOf(one, window)) : valueAt(one, at)
        return (
          <span key={one.id}>
            <i className="chart-mark" style={{ background: one.color }} />
            <span className="chart-name">{one.name}</span>
            <b>{value === undefined ? '—' : valueText(one, value, intl.locale)}</b>
            {at !== undefined && <Beside one={one} series={series} at={at} />}
          </span>
        )
      })}
    </>
  )
}

/** The newest value in the window, else what held when it began. */
const newestOf = (one: ChartSeries, window: TimeWindow) =>
  factsOf(one, window)?.last ?? one.held?.value

/** Value of the earlier period at the cross-hair, for a series that is compared with one. */
function Beside({
  one,
  series,
  at,
}: {
  one: ChartSeries
  series: readonly ChartSeries[]
  at: number
}) {
  const { locale } = useIntl()
  const other = series.find(({ id, dashed }) => dashed && id === `${one.id} earlier`)
  const value = other && valueAt(other, at)
  return value === undefined ? null : <small>({valueText(one, value, locale)})</small>
}

/** Time and values at the cross-hair, for those who hear it. */
export function cursorText(intl: IntlShape, { series, zone }: Shown, at: number) {
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

/** The units of both axes, above them. */
export function Units({ series }: Pick<Shown, 'series'>) {
  const unitsOf = (side: 'left' | 'right') =>
    [
      ...new Set(
        series.flatMap(({ axis = 'left', unit, hidden }) =>
          axis === side && unit && !hidden ? [unit] : [],
        ),
      ),
    ].join(', ')
  const [left, right] = [unitsOf('left'), unitsOf('right')]
  return (
    <div className="chart-units" aria-hidden>
      <span>{left}</span>
      <span>{right}</span>
    </div>
  )
}

/** One sentence for each series: lowest, highest, mean and last value. */
export function useSummary({ series, window, zone }: Shown) {
  const intl = useIntl()
  const t = useWords()
  return series
    .filter(({ hidden }) => !hidden)
    .map((one) => {
      const facts = factsOf(one, window)
      if (!facts && one.held)
        return t('charts.summaryHeld', {
          name: one.name,
          value: valueText(one, one.held.value, intl.locale),
          time: intl.formatDate(one.held.at, {
            dateStyle: 'short',
            timeStyle: 'medium',
            timeZone: zone,
          }),
        })
      if (!facts) return t('charts.summaryNone', { name: one.name })
      const text = (value: number) => valueText(one, value, intl.locale)
      const { min, max, mean, last } = facts
      return t('charts.summary', {
        name: one.name,
        min: text(min),
        max: text(max),
        mean: text(mean),
        last: text(last),
      })
    })
    .join(' ')
}
