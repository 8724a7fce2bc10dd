import { failure } from '@longreach/kit/errors'
import type { Point } from '@longreach/telemetry/store'
import { platformContract } from '../contract.ts'
import { type Answered, answerColumns, pointRows, queryTooLarge, typeOf } from './query-answered.ts'
import { conditionTest, firstOf, meeting } from './query-condition.ts'
import { type Missing, usualMissing } from '@longreach/formula/missing'
import { edgesFor } from './query-fill.ts'
import { bindVariables, applyFormula, nameOf, resultType, windowed } from './query-formula.ts'
import { withGrades } from './query-grades.ts'
import { mergedRows, type Row, rowsOfGrid } from './query-merge.ts'
import type { Plan } from './query-plan.ts'
import {
  createBucketReader,
  edgesOf,
  filledGrid,
  fromBuckets,
  gridPoints,
  once,
  pixelPoints,
  rawPoints,
  type Reading,
} from './query-read.ts'
import type { Found } from './query-source.ts'

/** Columns that are read side by side without steps; each holds a page in memory. */
const mostColumns = 50
/** Cells of a table with steps. */
const mostCells = 2_000_000

/** Tables: a device's paths side by side, or all sources through a formula. */
export function tableAnswers(reading: Reading, found: readonly Found[]): Answered[] {
  const { plan } = reading
  if (plan.map) return [formulaAnswer(reading, found, plan.map)]
  const devices = new Map<string, Found[]>()
  for (const one of found) devices.set(one.device.id, [...(devices.get(one.device.id) ?? []), one])
  return [...devices.values()].map((columns) => deviceTable(reading, columns))
}

function deviceTable(reading: Reading, found: readonly Found[]): Answered {
  const { plan } = reading
  checkTableSize(plan, found)
  const [first] = found
  const alone = found.length === 1 && first !== undefined
  return {
    deviceId: first?.device.id ?? '',
    modelPath: alone ? first.modelPath : '**',
    tagName: alone ? first.tagName : undefined,
    types: ['datetime', ...found.map((one) => typeOf(plan, one))],
    header: [
      'timestamp',
      ...(alone ? ['value'] : found.map(({ tagName, modelPath }) => tagName ?? modelPath)),
    ],
    rows: () => tableRows(reading, found),
  }
}

async function* tableRows(reading: Reading, found: readonly Found[]): AsyncIterable<unknown[][]> {
  const { plan } = reading
  const test = rowTest(plan, found)
  const pages = (async function* (): AsyncIterable<Row[]> {
    for await (const page of readRows(reading, found)) yield test ? page.filter(test) : page
  })()
  let left = plan.limit ?? Infinity
  if (plan.newest) {
    const newest = await lastRows(pages, left)
    return yield newest.map(({ t, values }) => [t, ...values])
  }
  for await (const page of pages) {
    const some = page.length > left ? page.slice(0, left) : page
    left -= some.length
    if (some.length > 0) yield some.map(({ t, values }) => [t, ...values])
    if (left <= 0) return
  }
}

async function lastRows(pages: AsyncIterable<Row[]>, limit: number) {
  let rows: Row[] = []
  for await (const page of pages) {
    rows.push(...page)
    if (rows.length > limit * 2) rows = rows.slice(-limit)
  }
  return rows.slice(-Math.min(limit, rows.length))
}

/** Conditions on a row read the columns by name; `value` is the first. */
function rowTest({ filterPost }: Plan, found: readonly Found[]) {
  if (filterPost.length === 0) return undefined
  const names = found.map(nameOf)
  const test = conditionTest(filterPost)
  return ({ t, values }: Row) => {
    const fields: [string, unknown][] = names.map((name, index) => [name, values[index]])
    const v = Object.fromEntries([['value', values[0]], ...fields])
    return test?.({ t, v, q: 0 }) ?? true
  }
}

function formulaAnswer(
  reading: Reading,
  all: readonly Found[],
  map: NonNullable<Plan['map']>,
): Answered {
  const bound = bindVariables(map, all)
  if (!bound.ok) {
    throw failure(platformContract, 'bad_query', {
      message: bound.message,
      field: 'functions.formula.map',
    })
  }
  // What the formula does not read is not read from the store either.
  const used = [...new Set(bound.places)].toSorted((a, b) => a - b)
  const found = used.flatMap((place) => all[place] ?? [])
  const places = bound.places.map((place) => used.indexOf(place))
  checkTableSize(reading.plan, found)
  const { plan } = reading
  const figure = plan.window?.figure.name
  const devices = new Set(all.map(({ device }) => device.id))
  const type =
    figure === undefined ? resultType(map.tree) : figure === 'count' ? 'integer' : 'double'
  return {
    deviceId: devices.size === 1 ? (all[0]?.device.id ?? '') : '',
    modelPath: '',
    tagName: 'formula',
    ...answerColumns(type, plan.quality),
    rows: () => formulaRows(applyFormula(readRows(reading, found), map, places), reading),
  }
}

async function* formulaRows(
  points: AsyncIterable<Point[]>,
  { plan, signal }: Reading,
): AsyncIterable<unknown[][]> {
  const stretched = plan.window ? windowed(points, plan.window, signal) : points
  const good = meeting(stretched, plan.filterPost)
  if (plan.newest && plan.limit !== undefined) {
    let last: Point[] = []
    for await (const page of good) last = [...last, ...page].slice(-plan.limit)
    return yield* pointRows(once(last), plan.quality)
  }
  yield* pointRows(firstOf(good, plan.limit), plan.quality)
}

function checkTableSize({ grid }: Plan, found: readonly Found[]) {
  if (!grid && found.length > mostColumns) {
    const message = `over ${mostColumns} paths side by side; take a sampling, or fewer paths`
    throw queryTooLarge('sources', message)
  }
  if (grid && found.length * grid.steps.starts.length > mostCells) {
    const message = `over ${mostCells} cells; take longer steps, a shorter range or fewer paths`
    throw queryTooLarge('sources', message)
  }
}

/** Default policy for gaps: a table leaves them, a formula continues with the last value. */
const missingFor = ({ missing, map }: Plan): Missing =>
  missing ?? (map ? usualMissing : { fill: 'USE_NULL', padding: 'NULL' })

async function* readRows(reading: Reading, found: readonly Found[]): AsyncIterable<Row[]> {
  const { plan, signal } = reading
  const missing = missingFor(plan)
  const ids = found.filter((one) => fromBuckets(plan, one)).map(({ series }) => series.id)
  const bucketsOf = createBucketReader(reading, ids)
  if (plan.grid) {
    const { steps } = plan.grid
    const columns = []
    for (const one of found) {
      signal.throwIfAborted()
      const plain = await gridPoints(reading, one, await bucketsOf(one.series.id))
      const points = await withGrades(reading, one, { points: plain, starts: steps.starts })
      const values = await filledGrid(reading, one, points, { steps, missing })
      const measured = new Set(points.flatMap(({ t, v }) => (v === null ? [] : [t])))
      const grades = new Map(points.flatMap(({ t, q }) => (q > 0 ? [[t, q] as const] : [])))
      columns.push({ values, measured, grades })
    }
    return yield* rowsOfGrid(steps.starts, columns)
  }
  const columns = []
  for (const one of found) {
    const pages = plan.pixels
      ? pixelPoints(reading, one, await bucketsOf(one.series.id))
      : rawPoints(reading, one)
    const wanted = edgesFor(missing)
    const before = wanted.before && !plan.newest
    columns.push({ pages, edges: await edgesOf(reading, one, { ...wanted, before }) })
  }
  yield* mergedRows(columns, missing, columnIndexOf(plan, found))
}

/** The column whose times count. */
function columnIndexOf({ timesOf }: Plan, found: readonly Found[]) {
  if (timesOf === undefined) return undefined
  const place = found.findIndex(
    (one) => one.tagName === timesOf || one.modelPath === timesOf || nameOf(one) === timesOf,
  )
  if (place >= 0) return place
  throw failure(platformContract, 'bad_query', {
    message: `no source is called ${timesOf}`,
    field: 'alignment',
  })
}
