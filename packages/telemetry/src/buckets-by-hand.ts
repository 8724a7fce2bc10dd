import type { Value } from './point.ts'

/** Reference implementation: buckets computed value by value. */
export function bucketsByHand(
  newest: Map<number, Value>,
  { since, to, width }: { since: number; to: number; width: number },
) {
  const points = [...newest].filter(([t]) => t >= since && t < to).toSorted(([a], [b]) => a - b)
  const groups = Map.groupBy(points, ([t]) => Math.floor((t - since) / width))
  return [...groups].map(([at, members]) => {
    const numbers = members.flatMap(([, v]) => (v === null || Number.isNaN(v) ? [] : [Number(v)]))
    const sum = numbers.reduce((total, v) => total + v, 0)
    const some = numbers.length > 0
    return {
      start: since + at * width,
      count: members.length,
      min: some ? Math.min(...numbers) : null,
      max: some ? Math.max(...numbers) : null,
      sum: some ? sum : null,
      avg: some ? sum / numbers.length : null,
      first: numbers[0] ?? null,
      last: numbers.at(-1) ?? null,
      lastT: members.at(-1)?.[0] ?? 0,
    }
  })
}
