import type { Bucket, Point, Series, SeriesType, TelemetryStore } from '@longreach/telemetry/store'
import { type Device, seriesTypeOf } from './device.ts'
import { bucketsOfPoints, ends, extremes, figures } from './tag-figures.ts'
import { onPathOrStruct, type ValueAccess } from './path-access.ts'
import type { Plan } from './tag-question.ts'
import { pathMatches } from './value-feed.ts'

/** A series as it is answered: its name and type, and its points in pages, oldest first. */
export type Answered = {
  deviceId: string
  modelPath: string
  tagName: string | undefined
  type: string
  pages: () => AsyncIterable<Point[]>
}
export type Source = {
  device: Device
  modelPath: string
  tagName?: string | undefined
  /** Paths whose values are shown, and those of which the past is shown. */
  access: ValueAccess
}

/** The series of a path, or of a struct's field: the struct's series, and which field of it. */
type Found = Source & { series: Series; type: SeriesType; field?: string; past: boolean }

/** What reading needs besides the path. */
type Reading = { telemetry: TelemetryStore; plan: Plan; signal: AbortSignal }

/** What answers a question about some paths of some devices; values are read when asked for. */
export async function answersOf(
  telemetry: TelemetryStore,
  sources: readonly Source[],
  plan: Plan,
  signal: AbortSignal,
): Promise<Answered[]> {
  const found: Found[] = []
  for (const source of sources) found.push(...(await find(telemetry, source)))
  if (plan.kind === 'newest' && plan.limit === 1) return newestOf(telemetry, found, plan)
  const buckets = await bucketsOf(telemetry, found, plan, signal)
  const reading = { telemetry, plan, signal }
  return found.map((one, index) =>
    // Figures are of the past too: who sees only what is now sees one value.
    answered(one, () =>
      one.past ? pagesOf(reading, one, buckets?.[index]) : onlyLast(reading, one),
    ),
  )
}

const answered = (
  { device, modelPath, tagName, type }: Found,
  pages: Answered['pages'],
): Answered => ({ deviceId: device.id, modelPath, tagName, type, pages })

async function find(telemetry: TelemetryStore, source: Source): Promise<Found[]> {
  const { device, modelPath, access } = source
  const all = await telemetry.findSeries(device.id)
  const own = all.filter(({ org }) => org === device.org)
  const found: Found[] = own
    .filter(({ path }) => pathMatches(modelPath, path) && access.last(path))
    .map((series) => ({ ...source, ...inFull(series, access), modelPath: series.path }))
  if (found.length > 0 || modelPath.endsWith('**')) return found
  if (!onPathOrStruct(access.last, modelPath)) return []
  const at = modelPath.lastIndexOf('/')
  const field = modelPath.slice(at + 1)
  const struct = own.find(({ path, type }) => type === 'json' && path === modelPath.slice(0, at))
  const past = onPathOrStruct(access.past, modelPath)
  return struct
    ? [{ ...source, series: struct, type: fieldType(device, struct, field), field, past }]
    : []
}

const inFull = (series: Series, { past }: ValueAccess) => ({
  series,
  type: series.type,
  past: past(series.path),
})

/** What a struct's field holds; `json`, which may be anything, for one that is gone from the model. */
function fieldType({ byPath }: Device, { path }: Series, field: string): SeriesType {
  const type = byPath.get(path)?.leaf.fields?.[field]
  return type ? seriesTypeOf({ type }) : 'json'
}

/** One call for all paths where each needs only its last value. */
async function newestOf(telemetry: TelemetryStore, found: readonly Found[], { to }: Plan) {
  const last = await telemetry.last(found.map(({ series }) => series.id))
  return found.map((one, index) => {
    const point = last[index]
    const points = point && point.t < to ? fieldOf([point], one.field) : []
    return answered(one, () => once(points))
  })
}

async function bucketsOf(
  telemetry: TelemetryStore,
  found: readonly Found[],
  plan: Plan,
  signal: AbortSignal,
) {
  if (plan.kind !== 'steps' && plan.kind !== 'pixels') return undefined
  signal.throwIfAborted()
  const { since, to, width } = plan
  const ids = found.map(({ series }) => series.id)
  return telemetry.buckets(ids, { since, to, width })
}

async function* once(points: Point[]) {
  if (points.length > 0) yield points
}

function pagesOf(reading: Reading, found: Found, buckets: Bucket[] = []): AsyncIterable<Point[]> {
  const { telemetry, plan, signal } = reading
  const { series, field, device } = found
  const { since, to } = plan
  const read = (more: { limit?: number; order?: 'desc' } = {}) =>
    telemetry.read(series.id, { since, to, signal, ...more })
  if (plan.kind === 'steps') {
    if (field === undefined) return once(figures(buckets, plan))
    return later(async () => figures(await bucketsOfPoints(fields(read(), field), plan), plan))
  }
  if (device.byPath.get(series.path)?.leaf.history === false) return onlyLast(reading, found)
  if (plan.kind === 'newest') return reversed(read({ limit: plan.limit, order: 'desc' }), field)
  if (plan.kind === 'raw') {
    return fields(read(plan.limit === undefined ? {} : { limit: plan.limit }), field)
  }
  const count = buckets.reduce((sum, one) => sum + one.count, 0)
  // Few enough to show each as it is.
  if (count <= plan.size * 2) return fields(read(), field)
  const hasFigures = ['double', 'integer', 'boolean'].includes(found.type)
  if (!hasFigures) return ends(fields(read(), field), plan)
  if (field === undefined) return once(extremes(buckets, plan.width))
  const { width } = plan
  return later(async () => extremes(await bucketsOfPoints(fields(read(), field), plan), width))
}

async function* later(points: () => Promise<Point[]>) {
  yield* once(await points())
}

/** Of a path without history there is one value. */
async function* onlyLast({ telemetry, plan }: Reading, { series, field }: Found) {
  const [point] = await telemetry.last([series.id])
  if (point && point.t >= plan.since && point.t < plan.to) yield fieldOf([point], field)
}

async function* fields(pages: AsyncIterable<Point[]>, field: string | undefined) {
  for await (const page of pages) yield fieldOf(page, field)
}

async function* reversed(pages: AsyncIterable<Point[]>, field: string | undefined) {
  const all: Point[] = []
  for await (const page of pages) all.push(...page)
  yield fieldOf(all.toReversed(), field)
}

function fieldOf(points: Point[], field: string | undefined): Point[] {
  if (field === undefined) return points
  return points.flatMap(({ t, v, q }) => {
    const value = typeof v === 'object' && v !== null && !Array.isArray(v) ? v[field] : undefined
    return value === undefined ? [] : [{ t, v: value as Point['v'], q }]
  })
}
