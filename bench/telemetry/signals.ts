/** Columns of one flush, in order of arrival. */
export type Rows = { series: number[]; t: number[]; v: number[] }

export type Shape = {
  name: string
  /** Interval of series `n` in ms. */
  everyMs: (n: number) => number
  series: number
  from: number
  to: number
  /** Start of series 0, far enough back for a chart of a month at any size. */
  longFrom: number
}

const second = 1000
export const day = 86_400 * second

/** 1,000 series, a tenth of them every 10 s and the rest every 300 s: a plant. */
export const plant = (days: number, to: number): Shape => ({
  name: `1,000 series, ${days} days`,
  series: 1000,
  everyMs: (n) => (n < 100 ? 10 * second : 300 * second),
  from: to - days * day,
  to,
  longFrom: to - 30 * day,
})

/** Very many series, each every 10 s: what a fleet sends over MQTT. */
export const fleet = (points: number, to: number): Shape => ({
  name: `50,000 series, ${points} values each`,
  series: 50_000,
  everyMs: () => 10 * second,
  from: to - points * 10 * second,
  to,
  longFrom: to - points * 10 * second,
})

/** The same values in every run (mulberry32). */
function random(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Four kinds of signal: 40 % walk in tenths, 30 % are set points that seldom change, 20 % count up,
 * 10 % are noise in full precision. Every second series is up to 50 ms late.
 */
export function* flushes(shape: Shape, size: number): Generator<Rows> {
  const next = random(1)
  const state = Float64Array.from({ length: shape.series }, () => Math.round(next() * 1000) / 10)
  let rows: Rows = { series: [], t: [], v: [] }
  const put = (n: number, t: number) => {
    const v = step(n, state[n] ?? 0, next)
    state[n] = v
    rows.series.push(n)
    rows.t.push(n % 2 ? t + Math.floor(next() * 50) : t)
    rows.v.push(v)
  }
  const tick = 10 * second
  for (let t = shape.longFrom; t < shape.to; t += tick) {
    const everyone = t >= shape.from
    for (let n = 0; n < (everyone ? shape.series : 1); n += 1) {
      // The slow ones are spread over their period instead of coming all at once.
      if ((t + n * tick) % shape.everyMs(n) !== 0) continue
      put(n, t)
      if (rows.t.length < size) continue
      yield rows
      rows = { series: [], t: [], v: [] }
    }
  }
  if (rows.t.length > 0) yield rows
}

function step(n: number, before: number, next: () => number) {
  const kind = n % 10
  if (kind < 4) return Math.round((before + (next() - 0.5) * 2) * 10) / 10
  if (kind < 7) return next() < 0.005 ? Math.round(next() * 1000) / 10 : before
  if (kind < 9) return Math.floor(before) + Math.floor(next() * 20)
  return 50 + next() * 10
}
