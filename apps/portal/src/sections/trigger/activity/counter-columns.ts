const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Spans of the chart, with the length of a bar; the server counts by minute, hour or day. */
export const ranges = [
  { name: 'day', lengthMs: dayMs, step: 'hour', stepMs: hourMs },
  { name: 'week', lengthMs: 7 * dayMs, step: 'hour', stepMs: 6 * hourMs },
  { name: 'month', lengthMs: 30 * dayMs, step: 'day', stepMs: dayMs },
] as const
type CounterRange = (typeof ranges)[number]

export const rangeOf = (name: string | undefined): CounterRange =>
  ranges.find((range) => range.name === name) ?? ranges[0]

type Counter = { time: number; counterIn: number; counterOut: number; counterThrottled: number }
type Span = { from: number; to: number }

/** Sums for each step of a window; steps in which nothing fired are zero. */
export function columnsOf(counters: readonly Counter[], { from, to }: Span, stepMs: number) {
  const count = Math.round((to - from) / stepMs)
  const times = Array.from({ length: count }, (_, index) => from + index * stepMs)
  const sums = { fired: empty(count), ran: empty(count), throttled: empty(count) }
  for (const { time, counterIn, counterOut, counterThrottled } of counters) {
    const index = Math.floor((time - from) / stepMs)
    if (index < 0 || index >= count) continue
    sums.fired[index] = (sums.fired[index] ?? 0) + counterIn
    sums.ran[index] = (sums.ran[index] ?? 0) + counterOut
    sums.throttled[index] = (sums.throttled[index] ?? 0) + counterThrottled
  }
  return { times, ...sums }
}

const empty = (count: number) => Array.from({ length: count }, () => 0)
