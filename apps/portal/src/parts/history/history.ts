import { type LineColumns, withGaps } from '@longreach/ui/chart-data'
import type { TimeWindow } from '@longreach/ui/time-range'
import type { Input, Result } from '@longreach/kit/contract'
import type { platformContract } from '@longreach/platform/contract'
import { api } from '../api/api.ts'
import { bucketStart, type Resolution, stepsOf } from './resolution.ts'

/** A path of a device whose history is asked for. */
export type Source = { device: string; path: string; type: string; everyMs?: number | undefined }
/** A line of history; one of texts holds numbers of `states`. */
export type HistoryLine = LineColumns & { states?: string[] }
export type History = ReadonlyMap<string, HistoryLine>
export type PlatformTags = Result<(typeof platformContract)['endpoints']['queryTags']>[number]
/** Figure of the values of a bucket that a point shows. */
export type Figure =
  | 'average'
  | 'timeWeightedAverage'
  | 'min'
  | 'max'
  | 'median'
  | 'p95'
  | 'first'
  | 'last'
  | 'delta'
  | 'sum'
  | 'count'
type Asked = {
  window: TimeWindow
  resolution: Resolution
  /** Figure that a point shows; absent: the mean. */
  figure?: Figure
  /** With the lowest and highest value of each bucket. */
  band?: boolean
  /** Time zone whose midnight begins buckets of a day and longer. */
  zone: string
}

export const sourceKey = ({ device, path }: Pick<Source, 'device' | 'path'>) => `${device}/${path}`

/**
 * History of several paths as lines by `sourceKey`: the stored points, or one point for each bucket
 * (its mean or another figure, for switches the last state), with the lowest and highest value in
 * it. One call for each figure, whatever the number of paths.
 */
export async function fetchHistory(
  org: string,
  sources: readonly Source[],
  { window, resolution, figure = 'average', band = true, zone }: Asked,
  signal?: AbortSignal,
): Promise<History> {
  const range = { since: firstTime(window, resolution, zone), to: window.to }
  const ask = async (some: readonly Source[], more: Partial<TagBody>) =>
    some.length === 0
      ? new Map<string, PlatformTags>()
      : byKey(
          await api.platform.queryTags(
            {
              params: { org },
              body: {
                sources: some.map(({ device, path }) => ({ deviceId: device, modelPath: path })),
                ...range,
                format: 'json',
                ...more,
              },
            },
            signal && { signal },
          ),
        )
  if (resolution === 'raw')
    return linesOf(sources, { middle: await ask(sources, { quality: true }) })
  // Of a band's edges nobody asks how good they are.
  const edges = new Set<Figure>(figure === 'average' ? ['min', 'max'] : [])
  const { sampling, ...more } = stepsOf(resolution, zone)
  const each = (some: readonly Source[], type: Figure) =>
    ask(some, { aggregation: { type, sampling }, ...more, quality: !edges.has(type) })
  const texts = sources.filter(isText)
  const switches = sources.filter(({ type }) => type === 'boolean')
  const numbers = sources.filter((source) => !isText(source) && source.type !== 'boolean')
  const banded = band && figure === 'average' ? numbers : []
  const [words, means, states, low, high] = await Promise.all([
    ask(texts, { downsampling: { size: textSteps }, quality: true }),
    each(numbers, figure),
    each(switches, figure === 'count' ? 'count' : 'last'),
    each(banded, 'min'),
    each(banded, 'max'),
  ])
  const middle = new Map([...words, ...means, ...states])
  return linesOf(sources, { middle, ...(banded.length > 0 && { low, high }) })
}

type TagBody = Input<(typeof platformContract)['endpoints']['queryTags']>['body']
/** Of texts no figures are made: the first and last of so many steps stand for the rest. */
const textSteps = 1000
const isText = ({ type }: Source) => type === 'string'

/** One figure of each source over a whole window, by `sourceKey`; absent where nothing is stored. */
export async function fetchFigure(
  org: string,
  sources: readonly Source[],
  { window: { from, to }, figure }: { window: TimeWindow; figure: Figure },
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const sampling = { size: Math.max(1, to - from), unit: 'milliseconds' } as const
  const body = {
    sources: sources.map(({ device, path }) => ({ deviceId: device, modelPath: path })),
    since: from,
    to,
    aggregation: { type: figure, sampling },
  }
  const answers = await api.platform.queryTags({ params: { org }, body }, signal && { signal })
  return new Map(
    answers.flatMap((answer) => {
      const value = pointsOf(answer)[0]?.[1]
      const key = sourceKey({ device: answer.deviceId, path: answer.modelPath })
      return value === undefined || value === null ? [] : [[key, value] as const]
    }),
  )
}

/** Least and greatest values of 30 steps since a time (ms since 1970), by path. */
export async function fetchSparks(
  org: string,
  { device, paths, since: from }: { device: string; paths: readonly string[]; since: number },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, LineColumns>> {
  const sources = paths.map((modelPath) => ({ deviceId: device, modelPath }))
  const body = { sources, since: from, to: Date.now(), downsampling: { size: 30 } }
  const answers = await api.platform.queryTags({ params: { org }, body }, { signal })
  return new Map(
    answers.map((answer) => {
      // A step without a value is no gap here: the line is only a hint of the course.
      const points = pointsOf(answer).filter(([, value]) => value !== null)
      return [
        answer.modelPath,
        { times: points.map(([at]) => at), values: points.map(([, value]) => value) },
      ]
    }),
  )
}

/** Start of the first bucket, so that a moved window shows the same buckets. */
export const firstTime = ({ from }: TimeWindow, resolution: Resolution, zone: string) =>
  resolution === 'raw' ? from : bucketStart(from, resolution, zone)

type Answers = Record<'middle', ReadonlyMap<string, PlatformTags>> &
  Partial<Record<'low' | 'high', ReadonlyMap<string, PlatformTags>>>

function linesOf(sources: readonly Source[], { middle, low, high }: Answers): History {
  return new Map(
    sources.map((source) => {
      const key = sourceKey(source)
      if (isText(source)) return [key, textLine(middle.get(key))]
      const points = pointsOf(middle.get(key))
      const times = points.map(([at]) => at)
      const edge = (answer: PlatformTags | undefined) => {
        const values = new Map(pointsOf(answer))
        return times.map((at) => values.get(at) ?? null)
      }
      const banded = low?.has(key) && high?.has(key)
      return [
        key,
        {
          times,
          values: points.map(([, value]) => value),
          ...gradesOf(middle.get(key)),
          ...(banded && { low: edge(low?.get(key)), high: edge(high?.get(key)) }),
        },
      ]
    }),
  )
}

/** Texts as numbers of the different ones, in the order of their first arrival. */
export function textLine(answer: PlatformTags | undefined): HistoryLine {
  const states = new Map<string, number>()
  const rows = answer?.data ?? []
  const values = rows.map(([, value]) => {
    if (typeof value !== 'string') return null
    const state = states.get(value) ?? states.size
    states.set(value, state)
    return state
  })
  const times = rows.map(([at]) => Number(at))
  return { times, values, states: [...states.keys()], ...gradesOf(answer) }
}

/** Quality of each value, if one of them is not good. */
export function gradesOf(answer: PlatformTags | undefined) {
  const grades = (answer?.data ?? []).map((row) => Number(row[2] ?? 0))
  return grades.some((grade) => grade > 0) ? { grades } : {}
}

const byKey = (answers: readonly PlatformTags[]) =>
  new Map(answers.map((one) => [sourceKey({ device: one.deviceId, path: one.modelPath }), one]))

export function pointsOf(answer: PlatformTags | undefined): [number, number | null][] {
  return (answer?.data ?? []).map(([at, value]) => [Number(at), numberOf(value)])
}

export const numberOf = (value: unknown) => {
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** Longest silence of a source, in ms, before its line breaks. */
export const silenceOf = ({ everyMs }: Pick<Source, 'everyMs'>, resolution: Resolution) =>
  everyMs === undefined
    ? Infinity
    : Math.max(everyMs * 3, resolution === 'raw' ? 0 : resolution * 2)

/**
 * Test for two neighbours of a line that are not connected: between them the device was disconnected, or more
 * than three of the expected intervals passed. A value that is sent on change has no expected interval.
 */
export function apartBy(
  { everyMs }: Pick<Source, 'everyMs'>,
  resolution: Resolution,
  away: readonly TimeWindow[],
) {
  const step = resolution === 'raw' ? 0 : resolution
  const silence = silenceOf({ everyMs }, resolution)
  return (earlier: number, later: number) =>
    later - earlier > silence ||
    (later - earlier > step * 2 &&
      away.some(({ from, to }) => from >= earlier - step && to <= later + step))
}

/** A line of history with what arrived live after it. */
export function joined(
  line: LineColumns | undefined,
  trail: { times: readonly number[]; values: readonly number[] },
): LineColumns {
  const { times, values, grades } = line ?? { times: [], values: [] }
  const last = times.at(-1) ?? -Infinity
  const first = trail.times.findIndex((at) => at > last)
  if (first < 0) return line ?? { times, values }
  return {
    times: [...times, ...trail.times.slice(first)],
    values: [...values, ...trail.values.slice(first)],
    ...(grades && { grades: [...grades, ...trail.times.slice(first).map(() => 0)] }),
  }
}

/** A line broken where its device was silent. */
export const broken = <T extends LineColumns>(
  line: T,
  source: Source,
  resolution: Resolution,
  away: readonly TimeWindow[],
) =>
  (source.type === 'boolean' || isText(source)) && away.length === 0
    ? line
    : withGaps(line, apartBy(source, resolution, away))
