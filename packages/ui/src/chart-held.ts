import type { ChartSeries, LineColumns } from './chart-data.ts'

type Drawn = Pick<ChartSeries, 'times' | 'values' | 'low' | 'high' | 'grades' | 'held' | 'until'>

/** The points of a line as they are drawn: with what held before its first value, and what still holds after its last. */
export function drawnPoints(
  one: Drawn,
): Pick<Drawn, 'times' | 'values' | 'low' | 'high' | 'grades'> {
  const { times, values, low, high, grades, held, until } = one
  if (!held && until === undefined) return one
  const before: LineColumns = { times: [], values: [] }
  if (held) {
    before.times.push(held.from)
    before.values.push(held.value)
    if (!held.joins) {
      before.times.push(held.to, held.to + 1)
      before.values.push(held.value, null)
    }
  }
  const last = lastValue(one)
  const lasts = until !== undefined && last !== undefined && last.at < until ? [last] : []
  const around = (
    column: ArrayLike<number | null>,
    start: readonly (number | null)[],
    end: (value: typeof last & object) => number | null,
  ) => [...start, ...Array.from(column), ...lasts.map(end)]
  const whole = before.values
  return {
    times: [...before.times, ...Array.from(times), ...lasts.map(() => until ?? 0)],
    values: around(values, whole, ({ value }) => value),
    ...(low && { low: around(low, whole, ({ value }) => value) }),
    ...(high && { high: around(high, whole, ({ value }) => value) }),
    ...(grades && {
      grades: [
        ...before.times.map(() => 0),
        ...Array.from(grades),
        ...lasts.map(({ grade }) => grade),
      ],
    }),
  }
}

function lastValue({ times, values, grades }: Drawn) {
  const index = times.length - 1
  const [at, value] = [times[index], values[index] ?? undefined]
  return at === undefined || value === undefined
    ? undefined
    : { at, value, grade: grades?.[index] ?? 0 }
}
