import type { Point, TelemetryStore } from '@longreach/telemetry/store'
import { createBucketReader, fromBuckets, gridPoints, rawPoints } from '../queries/query-read.ts'
import type { Plan } from '../queries/query-plan.ts'
import type { Column } from './export-columns.ts'
import { slicesOf, steppedPlans } from './export-slices.ts'

/** Some rows, the first cell of each a time in ms, and how many values they hold. */
export type Page = { rows: unknown[][]; values: number }
type Reading = { telemetry: TelemetryStore; plan: Plan; signal: AbortSignal }

const mostCells = 50_000

/** A row for each value, path after path: time, device, its id, path, value, unit. */
export async function* longRows(
  reading: Reading,
  devices: AsyncIterable<readonly Column[]>,
): AsyncGenerator<Page> {
  for await (const columns of devices) {
    for (const column of columns) {
      const { device, deviceId, path, unit } = column
      for await (const points of exportPoints(reading, column)) {
        reading.signal.throwIfAborted()
        const rows = points.map(({ t, v }) => [t, device, deviceId, path, v, unit])
        yield { rows, values: rows.length }
      }
    }
  }
}

async function* exportPoints(reading: Reading, { found }: Column): AsyncGenerator<Point[]> {
  if (!reading.plan.grid) return yield* rawPoints(reading, found)
  for (const plan of steppedPlans(reading.plan, 1)) {
    const points = await figuresOf({ ...reading, plan }, [found])
    yield points[0] ?? []
  }
}

/** The figure of each step, of each path. */
async function figuresOf(reading: Reading, found: readonly Column['found'][]) {
  const ids = found.filter((one) => fromBuckets(reading.plan, one)).map(({ series }) => series.id)
  const bucketsOf = createBucketReader(reading, ids)
  const all: Point[][] = []
  for (const one of found) {
    reading.signal.throwIfAborted()
    all.push(await gridPoints(reading, one, await bucketsOf(one.series.id)))
  }
  return all
}

/** A row for each time at which a column has a value, or for each step. */
export async function* wideRows(
  reading: Reading,
  columns: readonly Column[],
): AsyncGenerator<Page> {
  const found = columns.map((column) => column.found)
  if (reading.plan.grid) {
    for (const plan of steppedPlans(reading.plan, columns.length)) {
      yield* steppedRows(plan, await figuresOf({ ...reading, plan }, found))
    }
    return
  }
  const ids = [...new Set(found.filter(({ past }) => past).map(({ series }) => series.id))]
  const { since, to } = reading.plan
  for await (const slice of slicesOf({ ...reading, ids }, { since, to })) {
    const plan = { ...reading.plan, ...slice }
    const cells = await cellsOf({ ...reading, plan }, found)
    yield* toRows(cells, columns.length)
  }
}

function* steppedRows({ grid }: Plan, points: readonly Point[][]): Generator<Page> {
  const starts = grid?.steps.starts ?? []
  const byTime = points.map((column) => new Map(column.map(({ t, v }) => [t, v])))
  const atOnce = Math.max(1, Math.floor(mostCells / Math.max(1, points.length)))
  for (let at = 0; at < starts.length; at += atOnce) {
    let values = 0
    const rows = starts.slice(at, at + atOnce).map((t) => {
      const row = byTime.map((column) => column.get(t) ?? null)
      values += row.reduce((sum: number, value) => sum + (value === null ? 0 : 1), 0)
      return [t, ...row]
    })
    yield { rows, values }
  }
}

type Placed = { t: number; column: number; v: Point['v'] }

/** All values of a slice, in order of time. */
async function cellsOf(reading: Reading, found: readonly Column['found'][]) {
  const cells: Placed[] = []
  for (const [column, one] of found.entries()) {
    reading.signal.throwIfAborted()
    for await (const points of rawPoints(reading, one)) {
      for (const { t, v } of points) cells.push({ t, column, v })
    }
  }
  return cells.toSorted((a, b) => a.t - b.t)
}

function* toRows(cells: readonly Placed[], columns: number): Generator<Page> {
  const atOnce = Math.max(1, Math.floor(mostCells / (columns + 1)))
  let rows: unknown[][] = []
  let row: unknown[] | undefined
  let values = 0
  for (const { t, column, v } of cells) {
    if (row?.[0] !== t) {
      if (rows.length >= atOnce) {
        yield { rows, values }
        rows = []
        values = 0
      }
      row = Array.from({ length: columns + 1 }, () => null)
      row[0] = t
      rows.push(row)
    }
    row[column + 1] = v
    values += 1
  }
  if (rows.length > 0) yield { rows, values }
}
