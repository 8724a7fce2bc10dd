import type { TelemetryStore } from '@longreach/telemetry/store'
import { type Asked, mostSteps, rangeOf, samplingOf, Wrong } from './query-asked.ts'
import { findSources, type Source } from './query-source.ts'
import { spanMs } from '@longreach/calendar/units'

/** Pieces of the range in which the first stored value is looked for. */
const pieces = 1_000
/** Series whose pieces are in memory together. */
const idsAtOnce = 100

/**
 * The question for the part of its range that holds values, where it would have too many steps: a
 * range from 2000 to 2050 is a way to say "all". Its steps begin where they would have begun.
 */
export async function narrowed<Q extends Asked>(
  telemetry: TelemetryStore,
  sources: readonly Source[],
  question: Q,
  now: number,
): Promise<Q> {
  const asked = stepsAsked(question, now)
  if (!asked) return question
  const { from, to, width } = asked
  const found = (await findSources(telemetry, sources)) ?? []
  const ids = found.map(({ series }) => series.id)
  let first = Infinity
  let last = -Infinity
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const some = ids.slice(at, at + idsAtOnce)
    const width = Math.ceil((to - from) / pieces)
    const buckets = await telemetry.buckets(some, { since: from, to, width })
    for (const { start, lastT, count } of buckets.flat()) {
      if (count === 0) continue
      first = Math.min(first, start)
      last = Math.max(last, lastT)
    }
  }
  if (first > last) return { ...question, to: from + width }
  const since = from + Math.floor((first - from) / width) * width
  const end = since + (Math.floor((last - since) / width) + 1) * width
  return { ...question, since, to: Math.min(to, end) }
}

/** Range and width of steps that are too many; undefined for what `planOf` takes, or refuses itself. */
function stepsAsked(question: Asked, now: number) {
  try {
    const sampling = samplingOf(question)
    if (!sampling) return undefined
    const { from, to } = rangeOf(question, now, sampling.span)
    const width = spanMs(sampling.span)
    const isTooMany = from !== undefined && (to - from) / width > mostSteps
    return isTooMany ? { from, to, width } : undefined
  } catch (error) {
    if (error instanceof Wrong) return undefined // told by `planOf`
    throw error
  }
}
