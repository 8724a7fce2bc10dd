import { type LineColumns, withGaps } from '@longreach/ui/chart-data'
import type { TimeWindow } from '@longreach/ui/time-range'
import type { Result } from '@longreach/kit/contract'
import type { platformContract } from '@longreach/platform/contract'
import { api } from './api.ts'
import type { Resolution } from './resolution.ts'

/** A path of a device whose history is asked for. */
export type Source = { device: string; path: string; type: string; everyMs?: number | undefined }
export type History = ReadonlyMap<string, LineColumns>
type PlatformTags = Result<(typeof platformContract)['endpoints']['queryTags']>[number]
type Kind = 'average' | 'min' | 'max' | 'last'

export const sourceKey = ({ device, path }: Pick<Source, 'device' | 'path'>) => `${device}/${path}`

/**
 * History of several paths as lines by `sourceKey`: the stored points, or one point for each bucket
 * (mean, for switches the last state) with the lowest and highest value in it.
 */
export async function fetchHistory(
  org: string,
  sources: readonly Source[],
  { window, resolution }: { window: TimeWindow; resolution: Resolution },
  signal?: AbortSignal,
): Promise<History> {
  const ask = async (some: readonly Source[], kind?: Kind) =>
    some.length === 0
      ? new Map<string, PlatformTags>()
      : byKey(
          await api.platform.queryTags(
            {
              params: { org },
              body: {
                sources: some.map(({ device, path }) => ({ deviceId: device, modelPath: path })),
                since: since(window, resolution),
                to: window.to,
                format: 'json',
                ...(kind && {
                  aggregation: {
                    type: kind,
                    sampling: { size: Number(resolution), unit: 'milliseconds' },
                  },
                }),
              },
            },
            signal && { signal },
          ),
        )
  if (resolution === 'raw') return linesOf(sources, { middle: await ask(sources) })
  const switches = sources.filter(({ type }) => type === 'boolean')
  const numbers = sources.filter(({ type }) => type !== 'boolean')
  const [means, states, low, high] = await Promise.all([
    ask(numbers, 'average'),
    ask(switches, 'last'),
    ask(sources, 'min'),
    ask(sources, 'max'),
  ])
  return linesOf(sources, { middle: new Map([...means, ...states]), low, high })
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

/** Buckets start at multiples of their size, so that a moved window shows the same buckets. */
const since = ({ from }: TimeWindow, resolution: Resolution) =>
  resolution === 'raw' ? from : Math.floor(from / resolution) * resolution

type Answers = Record<'middle', ReadonlyMap<string, PlatformTags>> &
  Partial<Record<'low' | 'high', ReadonlyMap<string, PlatformTags>>>

function linesOf(sources: readonly Source[], { middle, low, high }: Answers): History {
  return new Map(
    sources.map((source) => {
      const key = sourceKey(source)
      const points = pointsOf(middle.get(key))
      const times = points.map(([at]) => at)
      const edge = (answer: PlatformTags | undefined) => {
        const values = new Map(pointsOf(answer))
        return times.map((at) => values.get(at) ?? null)
      }
      return [
        key,
        {
          times,
          values: points.map(([, value]) => value),
          ...(low && high && { low: edge(low.get(key)), high: edge(high.get(key)) }),
        },
      ]
    }),
  )
}

const byKey = (answers: readonly PlatformTags[]) =>
  new Map(answers.map((one) => [sourceKey({ device: one.deviceId, path: one.modelPath }), one]))

function pointsOf(answer: PlatformTags | undefined): [number, number | null][] {
  return (answer?.data ?? []).map(([at, value]) => [Number(at), numberOf(value)])
}

const numberOf = (value: unknown) => {
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/**
 * Which neighbours of a line belong apart: between them the device was away, or more than three of
 * the expected intervals passed. A value that is sent on change may rest as long as it likes.
 */
export function apartBy(
  { everyMs }: Pick<Source, 'everyMs'>,
  resolution: Resolution,
  away: readonly TimeWindow[],
) {
  const step = resolution === 'raw' ? 0 : resolution
  const silence = everyMs === undefined ? Infinity : Math.max(everyMs * 3, step * 2)
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
  const { times, values } = line ?? { times: [], values: [] }
  const last = times.at(-1) ?? -Infinity
  const first = trail.times.findIndex((at) => at > last)
  if (first < 0) return line ?? { times, values }
  return {
    times: [...times, ...trail.times.slice(first)],
    values: [...values, ...trail.values.slice(first)],
  }
}

/** Times at which a device was away, from its connection history (oldest first or not), up to `until`. */
export function awayTimes(
  changes: readonly { at: number; connected: boolean }[],
  until: number,
): TimeWindow[] {
  const sorted = changes.toSorted((a, b) => a.at - b.at)
  return sorted.flatMap(({ at, connected }, index) =>
    connected ? [] : [{ from: at, to: sorted[index + 1]?.at ?? until }],
  )
}

/** A line broken where its device was silent. */
export const broken = (
  line: LineColumns,
  source: Source,
  resolution: Resolution,
  away: readonly TimeWindow[],
) =>
  source.type === 'boolean' && away.length === 0
    ? line
    : withGaps(line, apartBy(source, resolution, away))
