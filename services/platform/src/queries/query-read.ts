import type { Bucket, Point, TelemetryStore } from '@longreach/telemetry/store'
import { meeting } from './query-condition.ts'
import type { Figure } from '@longreach/formula/figures'
import {
  type Around,
  figuresOfBuckets,
  figuresOfPoints,
  inBuckets,
  numberOf,
} from './query-figures.ts'
import { type Missing } from '@longreach/formula/missing'
import { type Edges, edgesFor, fillAt } from './query-fill.ts'
import type { Plan } from './query-plan.ts'
import { bucketsOfPoints, ends, extremes } from './query-pixels.ts'
import { fieldOf, type Found } from './query-source.ts'
import type { Steps } from '@longreach/calendar/steps'
import { runsOf } from './query-steps.ts'

/** Dependencies of reading besides the path. */
export type Reading = { telemetry: TelemetryStore; plan: Plan; signal: AbortSignal }

type Stretch = { since: number; to: number; limit?: number; order?: 'desc' }

/** The stored values of a path that meet the conditions on raw values. */
function readStored(
  { telemetry, plan, signal }: Reading,
  { series, field }: Found,
  stretch: Stretch,
) {
  const pages = telemetry.read(series.id, { signal, ...stretch })
  return meeting(ofField(pages, field), plan.filterRaw)
}

async function* ofField(pages: AsyncIterable<Point[]>, field: string | undefined) {
  for await (const page of pages) yield fieldOf(page, field)
}

/** Of a path without history, or whose past is not shown, there is one value. */
async function* onlyLast(reading: Reading, { series, field }: Found) {
  const { telemetry, plan } = reading
  const [point] = await telemetry.last([series.id])
  if (!point || point.t < plan.since || point.t >= plan.to) return
  const one = async function* () {
    yield [point]
  }
  yield* meeting(ofField(one(), field), plan.filterRaw)
}

const hasPast = ({ device, series, past }: Found) =>
  past && device.byPath.get(series.path)?.leaf.history !== false

/** Values as they are, oldest first, at most `limit`. */
export function rawPoints(reading: Reading, found: Found, limit?: number): AsyncIterable<Point[]> {
  const { plan } = reading
  const { since, to } = plan
  if (!hasPast(found)) return onlyLast(reading, found)
  if (plan.newest) return newestPoints(reading, found, limit ?? plan.limit ?? 1)
  // What is filtered is counted after it.
  const few = limit !== undefined && plan.filterRaw.length === 0 && found.field === undefined
  return readStored(reading, found, { since, to, ...(few && { limit }) })
}

async function* newestPoints(reading: Reading, found: Found, limit: number) {
  const { since, to, filterRaw } = reading.plan
  const few = filterRaw.length === 0 && found.field === undefined
  const all: Point[] = []
  const pages = readStored(reading, found, { since, to, order: 'desc', ...(few && { limit }) })
  for await (const page of pages) {
    for (const point of page) if (all.length < limit) all.push(point)
    if (all.length >= limit) break
  }
  if (all.length > 0) yield all.toReversed()
}

/** Nearest values outside of the range, as far as they are needed. */
export async function edgesOf(
  reading: Reading,
  found: Found,
  wanted: { before: boolean; after: boolean; current: boolean },
): Promise<Edges> {
  if (!hasPast(found)) return {}
  const { since, to } = reading.plan
  const first = async (stretch: Stretch) => {
    for await (const page of readStored(reading, found, stretch)) if (page[0]) return page[0]
    return undefined
  }
  const all = { since: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER }
  // A limit would count values that the conditions leave out.
  const one = reading.plan.filterRaw.length === 0 && found.field === undefined ? { limit: 1 } : {}
  return {
    ...(wanted.before && { before: await first({ ...all, to: since, order: 'desc', ...one }) }),
    ...(wanted.after && { after: await first({ ...all, since: to, ...one }) }),
    ...(wanted.current && { current: await first({ ...all, order: 'desc', ...one }) }),
  }
}

const isNumeric = ({ type }: Found) => ['double', 'integer', 'boolean'].includes(type)
/** Default figure of a step: the average of numbers, the last of other values. */
const figureFor = (asked: Figure | undefined, { type }: Found): Figure =>
  asked ?? { name: type === 'double' || type === 'integer' ? 'average' : 'last' }

/** True when the store's own figures answer for this path. */
export const fromBuckets = ({ filterRaw, grid, pixels }: Plan, found: Found) =>
  found.past &&
  filterRaw.length === 0 &&
  found.field === undefined &&
  (pixels !== undefined || (isNumeric(found) && inBuckets(figureFor(grid?.figure, found))))

/** The figure of each step that has one. */
export async function gridPoints(
  reading: Reading,
  found: Found,
  buckets: readonly Bucket[] | undefined,
): Promise<Point[]> {
  const { plan } = reading
  if (!plan.grid) return []
  const figure = figureFor(plan.grid.figure, found)
  const carries = figure.name === 'delta' || figure.name === 'timeWeightedAverage'
  const nothing = { before: false, after: false, current: false }
  const { before } = await edgesOf(reading, found, { ...nothing, before: carries })
  if (buckets) return figuresOfBuckets(buckets, figure, before && numberOf(before.v))
  const around: Around = { now: plan.now, ...(before && { before }) }
  const pages = hasPast(found) ? allOf(reading, found) : onlyLast(reading, found)
  return collected(figuresOfPoints(pages, plan.grid.steps, figure, around))
}

const allOf = (reading: Reading, found: Found) => {
  const { since, to } = reading.plan
  return readStored(reading, found, { since, to })
}

/** One value for each step, as the policies say; undefined where a step is left out. */
export async function filledGrid(
  reading: Reading,
  found: Found,
  points: readonly Point[],
  { steps, missing }: { steps: Steps; missing: Missing },
) {
  const edges = await edgesOf(reading, found, edgesFor(missing))
  return fillAt(steps.starts, points, missing, edges)
}

/** Two points for each pixel, or every value where there are few. */
export function pixelPoints(
  reading: Reading,
  found: Found,
  buckets: readonly Bucket[] = [],
): AsyncIterable<Point[]> {
  const { pixels, since, to, filterRaw } = reading.plan
  if (!hasPast(found)) return onlyLast(reading, found)
  const { size, width } = pixels ?? { size: 1, width: 1 }
  const count = buckets.reduce((sum, one) => sum + one.count, 0)
  const whole = filterRaw.length === 0
  // Few enough to show each as it is.
  if (whole && count <= size * 2 && (found.field === undefined || count > 0)) {
    return allOf(reading, found)
  }
  // Paths that are read value by value are cut at the exact range.
  const steps = { since, width: Math.max(1, Math.ceil((to - since) / size)) }
  if (!isNumeric(found)) return ends(allOf(reading, found), steps)
  if (whole && found.field === undefined) return once(extremes(buckets, width))
  return readLater(async () =>
    extremes(await bucketsOfPoints(allOf(reading, found), steps), steps.width),
  )
}

export async function* once(points: Point[]) {
  if (points.length > 0) yield points
}

async function* readLater(points: () => Promise<Point[]>) {
  yield* once(await points())
}

async function collected(pages: AsyncIterable<Point[]>): Promise<Point[]> {
  const all: Point[] = []
  for await (const page of pages) for (const point of page) all.push(point)
  return all
}

/** Buckets that are held at once. */
const mostAtOnce = 200_000

/** The store's buckets of one series after the other, read for several together. */
export function createBucketReader({ telemetry, plan, signal }: Reading, ids: readonly number[]) {
  const runs = plan.grid ? runsOf(plan.grid.steps) : (plan.pixels?.runs ?? [])
  const steps = plan.grid?.steps.starts.length ?? plan.pixels?.size ?? 1
  const together = Math.max(1, Math.floor(mostAtOnce / steps))
  const order = new Map(ids.map((id, index) => [id, index]))
  let held = { from: 0, buckets: [] as Bucket[][] }
  return async (id: number): Promise<Bucket[] | undefined> => {
    const index = order.get(id)
    if (index === undefined) return undefined
    if (index < held.from || index >= held.from + held.buckets.length) {
      const some = ids.slice(index, index + together)
      const buckets: Bucket[][] = some.map(() => [])
      for (const run of runs) {
        signal.throwIfAborted()
        const parts = await telemetry.buckets(some, run)
        for (const [at, part] of parts.entries()) buckets[at]?.push(...part)
      }
      held = { from: index, buckets }
    }
    return held.buckets[index - held.from]
  }
}
