import type { Point, TelemetryStore } from '@longreach/telemetry/store'
import { type Answered, tooLarge, typeOf, withAskedFields } from './query-answered.ts'
import { conditionTest, firstOf, meeting } from './query-condition.ts'
import { describedRows, description } from './query-describe.ts'
import { windowed } from './query-formula.ts'
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

/** What answers a question about some paths of some devices. */
export async function answersOf(
  telemetry: TelemetryStore,
  sources: readonly Source[],
  plan: Plan,
  signal: AbortSignal,
): Promise<Answered[]> {
  const all = await findSources(telemetry, sources)
  if (!all) {
    throw tooLarge('sources', `over ${mostSeries} paths; name fewer devices or paths`)
  }
  const { found, plan: wanted } = named(all, plan)
  const reading = { telemetry, plan: wanted, signal }
  if (plan.action === 'RESOLVE') return found.map((one) => answered(one, nothing))
  if (plan.action === 'DESCRIBE') {
    return found.map((one) => ({
      ...answered(one, nothing),
      ...description,
      rows: () => describedRows(reading, one),
    }))
  }
  if (plan.merged) return tableAnswers(reading, found).map((one) => shaped(one, wanted))
  if (isNewest(wanted)) return newestOf(reading, found)
  const ids = found.filter((one) => fromBuckets(wanted, one)).map(({ series }) => series.id)
  const bucketsOf = wanted.grid || wanted.pixels ? createBucketReader(reading, ids) : undefined
  return found.map((one) =>
    shaped(
      answered({ ...one, type: typeOf(wanted, one) }, () => pointsOf(reading, one, bucketsOf)),
      wanted,
    ),
  )
}

const shaped = (one: Answered, plan: Plan): Answered => ({
  ...one,
  rows: () => withAskedFields(one.rows(), plan),
})

/** Names of columns are chosen among the paths; what is none of them is a struct's field. */
function named(found: readonly Found[], plan: Plan): { found: readonly Found[]; plan: Plan } {
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
  points: () => AsyncIterable<Point[]>,
): Answered => ({
  deviceId: device.id,
  modelPath,
  tagName,
  types: ['datetime', type],
  header: ['timestamp', 'value'],
  rows: () => rowsOf(points()),
})

async function* rowsOf(pages: AsyncIterable<Point[]>) {
  for await (const page of pages) yield page.map(({ t, v }) => [t, v])
}

async function* nothing(): AsyncIterable<Point[]> {}

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
async function newestOf(reading: Reading, found: readonly Found[]): Promise<Answered[]> {
  const { telemetry, plan } = reading
  const whole = found.filter(({ field }) => field === undefined)
  const last = await telemetry.last(whole.map(({ series }) => series.id))
  const points = new Map(whole.map((one, index) => [one, last[index]]))
  return found.map((one) => {
    const point = points.get(one)
    // The newest of all may lie after the end of the question; then the one before it is looked for.
    if (one.field !== undefined || (point && point.t >= plan.to)) {
      return answered(one, () => rawPoints(reading, one, 1))
    }
    return answered(one, () => once(point ? [point] : []))
  })
}

type BucketsOf = ReturnType<typeof createBucketReader>

/** A path's answer, from what is stored to what is shown. */
async function* pointsOf(reading: Reading, found: Found, bucketsOf: BucketsOf | undefined) {
  const { plan } = reading
  const later = plan.window !== undefined || plan.filterPost.length > 0
  // Figures are of the past too: who sees only what is now sees one value.
  if (!found.past) return yield* meeting(rawPoints(reading, found), plan.filterPost)
  const first = plan.grid
    ? once(await gridOf(reading, found, bucketsOf))
    : plan.pixels
      ? pixelPoints(reading, found, await bucketsOf?.(found.series.id))
      : rawPoints(reading, found, later ? undefined : plan.limit)
  const stretched = plan.window ? windowed(first, plan.window) : first
  yield* firstOf(meeting(stretched, plan.filterPost), plan.newest ? undefined : plan.limit)
}

async function gridOf(reading: Reading, found: Found, bucketsOf: BucketsOf | undefined) {
  const { plan } = reading
  const { grid, missing, limit, newest } = plan
  const figures = await gridPoints(reading, found, await bucketsOf?.(found.series.id))
  let points = figures
  if (grid && missing) {
    const values = await filledGrid(reading, found, figures, { steps: grid.steps, missing })
    points = grid.steps.starts.flatMap((t, index) => {
      const v = values[index]
      return v === undefined ? [] : [{ t, v, q: 0 }]
    })
  }
  const test = conditionTest(plan.filterPost)
  if (!newest || limit === undefined || plan.window) return points
  return (test ? points.filter(test) : points).slice(-limit)
}
