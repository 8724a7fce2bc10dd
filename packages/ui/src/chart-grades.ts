import type { ChartSeries } from './chart-data.ts'

type Graded = Pick<ChartSeries, 'values' | 'grades' | 'kind'>

/** True when at least one value of a line is not good. */
export function isDoubtful({ grades }: Pick<ChartSeries, 'grades'>) {
  if (!grades) return false
  for (let index = 0; index < grades.length; index++) if ((grades[index] ?? 0) > 0) return true
  return false
}

/**
 * A line as two: what is good, and what is drawn dotted. A stretch between two values is dotted when
 * one of them is not good.
 */
export function partedByGrade({ values, grades, kind }: Graded) {
  const isBad = (index: number) => (grades?.[index] ?? 0) > 0
  const beside = (index: number) => kind !== 'bar' && (isBad(index - 1) || isBad(index + 1))
  const all = Array.from(values)
  return {
    good: all.map((value, index) => (isBad(index) ? null : value)),
    doubtful: all.map((value, index) => (isBad(index) || beside(index) ? value : null)),
  }
}
