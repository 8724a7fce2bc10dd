import type { Held } from '@longreach/ui/chart-data'
import type { TimeWindow } from '@longreach/ui/time-range'
import { api } from '../api/api.ts'
import {
  apartBy,
  type HistoryLine,
  numberOf,
  silenceOf,
  type Source,
  sourceKey,
} from './history.ts'
import type { Resolution } from './resolution.ts'

/** The newest value before a time. */
export type Before = { at: number; value: unknown }

/** The newest value of each source before a time, by `sourceKey`; absent where there is none. */
export async function fetchBefore(
  org: string,
  sources: readonly Source[],
  at: number,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Before>> {
  const body = {
    sources: sources.map(({ device, path }) => ({ deviceId: device, modelPath: path })),
    to: at,
    limit: 1,
  }
  const answers = await api.platform.queryTags({ params: { org }, body }, signal && { signal })
  return new Map(
    answers.flatMap(({ deviceId: device, modelPath: path, data }) => {
      const [row] = data
      return row && row[1] !== null
        ? [[sourceKey({ device, path }), { at: Number(row[0]), value: row[1] }] as const]
        : []
    }),
  )
}

/** Limits for drawing a line: its window, its resolution, and the spans in which the device was disconnected. */
export type Around = {
  source: Source
  resolution: Resolution
  away: readonly TimeWindow[]
  /** Beginning of the line and end of the known values. */
  window: TimeWindow
}

/**
 * Extent of the value before the window: until the line's first value, or until the device disconnected
 * or was silent for too long. Undefined if it did not hold any more when the window began.
 */
export function heldIn(
  line: Pick<HistoryLine, 'times' | 'states'>,
  before: Before | undefined,
  { source, resolution, away, window }: Around,
): Held | undefined {
  const value = before && valueIn(line, before.value)
  const { from } = window
  if (!before || value === undefined) return undefined
  const first = line.times[0]
  if (first !== undefined && first <= from) return undefined
  const end = holdsTo(before.at, { source, resolution, away, window })
  if (end <= from) return undefined
  const apart = apartBy(source, resolution, away)
  if (first !== undefined && end >= first && !apart(before.at, first))
    return { value, at: before.at, from, to: first, joins: true }
  return { value, at: before.at, from, to: Math.min(end, first ?? end), joins: false }
}

/** Until when a value of `at` is known to hold: until its device goes away, or is silent for too long. */
export function holdsTo(at: number, { source, resolution, away, window }: Around) {
  const silence = silenceOf(source, resolution)
  const gone = away.filter(({ to }) => to > at).map(({ from }) => Math.max(from, at))
  return Math.min(window.to, at + silence, ...gone)
}

/** A value as the line counts it: texts by their place among its states. */
function valueIn({ states }: Pick<HistoryLine, 'states'>, value: unknown) {
  if (typeof value !== 'string') return numberOf(value) ?? undefined
  const place = states?.indexOf(value) ?? -1
  return place < 0 ? undefined : place
}

/** A line of texts with the text that held before it among its states. */
export function withState<T extends HistoryLine>(line: T, before: Before | undefined): T {
  const { states } = line
  if (!states || typeof before?.value !== 'string' || states.includes(before.value)) return line
  return { ...line, states: [...states, before.value] }
}
