import type { Figures } from './contract.ts'
import type { Shift } from './shift-times.ts'

const minuteMs = 60_000
const stretchMinutes = 10
/** More alarms than this in ten minutes are more than a person can follow (EEMUA 191). */
const floodAbove = 10
/** Steps of the logarithm by which times are counted: 2 % each. */
export const stepsOfLogarithm = 50

/** Alarms in a minute; minutes count from 1970. */
type MinuteCount = { minute: number; count: number }
/** Alarms of a severity and of a time to acknowledgement, in steps of its logarithm; null while there is none. */
type AcknowledgeCount = { severity: number; step: number | null; count: number }

type Counted = {
  /** Stretches of the time, oldest first, cut to what has passed. */
  spans: readonly Pick<Shift, 'from' | 'to'>[]
  /** Minutes with alarms, oldest first. */
  minutes: readonly MinuteCount[]
  acknowledged: readonly AcknowledgeCount[]
}

/** Figures of some stretches of time. */
export function figuresOf({ spans, minutes, acknowledged }: Counted): Figures {
  const hours = spans.reduce((sum, { from, to }) => sum + (to - from), 0) / 3_600_000
  const inSpans = spans.map((span) => countsWithin(span, minutes))
  const alarms = sum(inSpans.map((one) => sum(one.map(({ count }) => count))))
  const floods = spans.map((span, index) => floodsOf(span, inSpans[index] ?? []))
  const stretches = sum(floods.map((one) => one.stretches))
  const bySeverity = Array.from({ length: 7 }, (_, severity) =>
    sum(acknowledged.filter((one) => one.severity === severity).map(({ count }) => count)),
  )
  const taken = acknowledged
    .flatMap(({ step, count }) => (step === null ? [] : [{ step, count }]))
    .toSorted((one, other) => one.step - other.step)
  return {
    hours,
    alarms,
    perHour: hours > 0 ? alarms / hours : null,
    floodShare: stretches > 0 ? sum(floods.map((one) => one.floods)) / stretches : null,
    mostInTenMinutes: Math.max(0, ...inSpans.map(mostInTenMinutes)),
    bySeverity,
    acknowledged: sum(taken.map(({ count }) => count)),
    acknowledgeMedianS: quantile(taken, 0.5),
    acknowledge95S: quantile(taken, 0.95),
  }
}

const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0)

/** Minutes of a stretch, found by halving: a year has half a million of them. */
export function countsWithin(
  { from, to }: Pick<Shift, 'from' | 'to'>,
  minutes: readonly MinuteCount[],
): readonly MinuteCount[] {
  const first = Math.floor(from / minuteMs)
  const behind = Math.ceil(to / minuteMs)
  return minutes.slice(firstFrom(minutes, first), firstFrom(minutes, behind))
}

function firstFrom(minutes: readonly MinuteCount[], minute: number) {
  let [low, high] = [0, minutes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((minutes[middle]?.minute ?? 0) < minute) low = middle + 1
    else high = middle
  }
  return low
}

function floodsOf({ from, to }: Pick<Shift, 'from' | 'to'>, minutes: readonly MinuteCount[]) {
  const begin = Math.floor(from / minuteMs)
  const counts = new Map<number, number>()
  for (const { minute, count } of minutes) {
    const stretch = Math.floor((minute - begin) / stretchMinutes)
    counts.set(stretch, (counts.get(stretch) ?? 0) + count)
  }
  const stretches = Math.ceil((to - from) / minuteMs / stretchMinutes)
  return { stretches, floods: [...counts.values()].filter((count) => count > floodAbove).length }
}

/** Most alarms in ten minutes beside each other. */
export function mostInTenMinutes(minutes: readonly MinuteCount[]) {
  let [most, within, oldest] = [0, 0, 0]
  for (const { minute, count } of minutes) {
    within += count
    while ((minutes[oldest]?.minute ?? minute) <= minute - stretchMinutes) {
      within -= minutes[oldest]?.count ?? 0
      oldest += 1
    }
    most = Math.max(most, within)
  }
  return most
}

/** Time in seconds that a share of the alarms does not exceed. */
function quantile(sorted: readonly { step: number; count: number }[], share: number) {
  const wanted = share * sum(sorted.map(({ count }) => count))
  let seen = 0
  for (const { step, count } of sorted) {
    seen += count
    if (seen >= wanted) return Math.expm1(step / stepsOfLogarithm)
  }
  return null
}
