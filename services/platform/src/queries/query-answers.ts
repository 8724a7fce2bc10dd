import type { Bucket, Point, TelemetryStore } from '@longreach/telemetry/store'
import {
  type Answered,
  answerColumns,
  pointRows,
  queryTooLarge,
  typeOf,
  withAskedFields,
} from './query-answered.ts'
import { conditionTest, firstOf, meeting } from './query-condition.ts'
import { describedRows, description } from './query-describe.ts'
import { windowed } from './query-formula.ts'
import { withGrades } from './query-grades.ts'
import type { Plan } from './query-plan.ts'
import {
  createBucketReader,
  filledGrid,
  fromBuckets,
  gridPoints,
  once,
  pixelPoints,
  rawPoints,
  type Reading,
} from './query-read.ts'
import { type Found, findSources, mostSeries, type Source } from './query-source.ts'
import { tableAnswers } from './query-table.ts'

/** Answers to a query about some paths of some devices. */
export async function answersOf(
  telemetry: TelemetryStore,
  sources: readonly Source[],
  plan: Plan,
  signal: AbortSignal,
): Promise<Answered[]> {
  const all = await findSources(telemetry, sources, signal)
  if (!all) {
    throw queryTooLarge('sources', `over ${mostSeries} paths; name fewer devices or paths`)
  }
  const { found, plan: wanted } = selectColumns(all, plan)
  const reading = { telemetry, plan: wanted, signal }
  if (plan.action === 'RESOLVE') return found.map((one) => answered(one, wanted, noPoints))
  if (plan.action === 'DESCRIBE') {
    return found.map((one) => ({
      ...answered(one, wanted, noPoints),
      ...description,
      rows: () => describedRows(reading, one),
    }))
  }
  if (plan.merged) return tableAnswers(reading, found).map((one) => shaped(one, wanted))
  if (isNewest(wanted)) return answerNewest(reading, found)
  const ids = found.filter((one) => fromBuckets(wanted, one)).map(({ series }) => series.id)
  const bucketsOf = wanted.grid || wanted.pixels ? createBucketReader(reading, ids) : undefined
  return found.map((one) =>
    shaped(
      answered({ ...one, type: typeOf(wanted, one) }, wanted, () =>
        answerPoints(reading, one, bucketsOf),
      ),
      wanted,
    ),
  )
}

const shaped = (one: Answered, plan: Plan): Answered => ({
  ...one,
  rows: () => withAskedFields(one.rows(), plan),
})

/** Names of columns are chosen among the paths; what is none of them is a struct's field. */
function selectColumns(
  found: readonly Found[],
  plan: Plan,
): { found: readonly Found[]; plan: Plan } {
  const { fields } = plan
  if (!fields || plan.map) return { found, plan }
  const chosen = found.filter(
    ({ tagName, modelPath, series }) =>
      fields.has(tagName ?? modelPath) || fields.has(modelPath) || fields.has(shortOf(series.path)),
  )
  if (chosen.length > 0) return { found: chosen, plan }
  return { found, plan: { ...plan, structFields: fields } }
}
const shortOf = (path: string) => path.slice(path.indexOf('/') + 1)

const answered = (
  { device, modelPath, tagName, type }: Found,
  { quality }: Plan,
  points: () => AsyncIterable<Point[]>,
): Answered => ({
  deviceId: device.id,
  modelPath,
  tagName,
  ...answerColumns(type, quality),
  rows: () => pointRows(points(), quality),
})

async function* noPoints(): AsyncIterable<Point[]> {}

const isNewest = ({
  newest,
  limit,
  grid,
  pixels,
  window,
  filterRaw,
  filterPost,
  structFields,
}: Plan) =>
  newest &&
  limit === 1 &&
  !grid &&
  !pixels &&
  !window &&
  !structFields &&
  filterRaw.length + filterPost.length === 0

/** One call for all paths where each needs only its last value. */
async function answerNewest(reading: Reading, found: readonly Found[]): Promise<Answered[]> {
  const { telemetry, plan } = reading
  const whole = found.filter(({ field }) => field === undefined)
  const last = await telemetry.last(whole.map(({ series }) => series.id))
  const points = new Map(whole.map((one, index) => [one, last[index]]))
  return found.map((one) => {
    const point = points.get(one)
    // The newest value may be after the end of the query; then the one before it is read.
    if (one.field !== undefined || (point && point.t >= plan.to)) {
      return answered(one, plan, () => rawPoints(reading, one, 1))
    }
    return answered(one, plan, () => once(point ? [point] : []))
  })
}

type BucketsOf = ReturnType<typeof createBucketReader>

/** Points of a path, from the stored values to the answered ones. */
async function* answerPoints(reading: Reading, found: Found, bucketsOf: BucketsOf | undefined) {
  const { plan } = reading
  const later = plan.window !== undefined || plan.filterPost.length > 0
  // Figures are of the past too: who sees only what is now sees one value.
  if (!found.past) return yield* meeting(rawPoints(reading, found), plan.filterPost)
  const first = plan.grid
    ? once(await gridOf(reading, found, bucketsOf))
    : plan.pixels
      ? gradedPixels(reading, found, await bucketsOf?.(found.series.id))
      : rawPoints(reading, found, later ? undefined : plan.limit)
  const stretched = plan.window ? windowed(first, plan.window, reading.signal) : first
  yield* firstOf(meeting(stretched, plan.filterPost), plan.newest ? undefined : plan.limit)
}

/** Stored values have their own quality; the two of a bucket have that of its worst. */
async function* gradedPixels(
  reading: Reading,
  found: Found,
  buckets: readonly Bucket[] | undefined,
): AsyncIterable<Point[]> {
  const starts = (buckets ?? []).map(({ start }) => start)
  for await (const points of pixelPoints(reading, found, buckets)) {
    const own = starts.length === 0 || points.some(({ q }) => q > 0)
    yield own ? points : await withGrades(reading, found, { points, starts })
  }
}

async function gridOf(reading: Reading, found: Found, bucketsOf: BucketsOf | undefined) {
  const { plan } = reading
  const { grid, missing, limit, newest } = plan
  const buckets = await bucketsOf?.(found.series.id)
  const plain = await gridPoints(reading, found, buckets)
  const starts = grid?.steps.starts ?? []
  const figures = await withGrades(reading, found, { points: plain, starts })
  let points = figures
  if (grid && missing) {
    const grades = new Map(figures.map(({ t, q }) => [t, q]))
    const values = await filledGrid(reading, found, figures, { steps: grid.steps, missing })
    points = grid.steps.starts.flatMap((t, index) => {
      const v = values[index]
      return v === undefined ? [] : [{ t, v, q: grades.get(t) ?? 0 }]
    })
  }
  const test = conditionTest(plan.filterPost)
  if (!newest || limit === undefined || plan.window) return points
  return (test ? points.filter(test) : points).slice(-limit)
}
