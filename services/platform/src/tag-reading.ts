import type { Bucket, Point, Series, TelemetryStore } from '@longreach/telemetry/store'
import type { Device } from './device.ts'
import { extremes, figures, type Plan } from './tag-question.ts'
import { pathMatches } from './value-feed.ts'

/** A series as it is answered: its name and type, and its points in pages, oldest first. */
export type Answered = {
  deviceId: string
  modelPath: string
  type: string
  pages: () => AsyncIterable<Point[]>
}
export type Source = { device: Device; modelPath: string }

/** A path of a struct's field: the struct's series, and which field of it. */
type Found = { device: Device; series: Series; modelPath: string; field?: string }

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
  return found.map((one, index) =>
    answered(one, () => pagesOf({ telemetry, plan, signal }, one, buckets?.[index])),
  )
}

const answered = (
  { device, series, modelPath, field }: Found,
  pages: Answered['pages'],
): Answered => ({
  deviceId: device.id,
  modelPath,
  type: series.type === 'json' && field !== undefined ? 'double' : series.type,
  pages,
})

async function find(telemetry: TelemetryStore, { device, modelPath }: Source): Promise<Found[]> {
  const all = await telemetry.findSeries(device.id)
  const own = all.filter(({ org }) => org === device.org)
  const found: Found[] = own
    .filter(({ path }) => pathMatches(modelPath, path))
    .map((series) => ({ device, series, modelPath: series.path }))
  if (found.length > 0 || modelPath.endsWith('**')) return found
  const at = modelPath.lastIndexOf('/')
  const struct = own.find(({ path, type }) => type === 'json' && path === modelPath.slice(0, at))
  return struct ? [{ device, series: struct, modelPath, field: modelPath.slice(at + 1) }] : []
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
  if (plan.kind === 'steps') return once(figures(buckets, plan.figure))
  if (device.byPath.get(series.path)?.leaf.history === false) return onlyLast(reading, found)
  const read = (more: { limit?: number; order?: 'desc' }) =>
    telemetry.read(series.id, { since, to, signal, ...more })
  if (plan.kind === 'newest') return reversed(read({ limit: plan.limit, order: 'desc' }), field)
  if (plan.kind === 'raw') {
    return fields(read(plan.limit === undefined ? {} : { limit: plan.limit }), field)
  }
  const count = buckets.reduce((sum, one) => sum + one.count, 0)
  const hasFigures = ['double', 'integer', 'boolean'].includes(series.type)
  // Few enough to show each as it is.
  if (!hasFigures || count <= plan.size * 2) return fields(read({ limit: plan.size * 2 }), field)
  return once(extremes(buckets, plan.width))
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
