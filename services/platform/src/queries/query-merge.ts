import type { Point, Value } from '@longreach/telemetry/store'
import { type Missing } from '@longreach/formula/missing'
import { type Edges, fillValue } from './query-fill.ts'

/** The values of all columns at one time; `fresh` says which of them were measured then, `q` how good the worst is. */
export type Row = { t: number; values: (Value | undefined)[]; fresh: boolean[]; q: number }

export type Column = { pages: AsyncIterable<Point[]>; edges: Edges }

const rowsAtOnce = 2_000

/** Reads one column ahead of the row that is being made. */
class Cursor {
  private readonly pages: AsyncIterator<Point[]>
  private page: readonly Point[] = []
  private at = 0
  before: Point | undefined
  ended = false
  constructor(pages: AsyncIterable<Point[]>, before: Point | undefined) {
    this.pages = pages[Symbol.asyncIterator]()
    this.before = before
  }

  get head(): Point | undefined {
    return this.page[this.at]
  }

  get isDry() {
    return !this.ended && this.at >= this.page.length
  }

  async more() {
    while (this.isDry) {
      const next = await this.pages.next()
      this.ended = next.done === true
      this.page = next.done === true ? [] : next.value
      this.at = 0
    }
  }

  pass() {
    this.before = this.head
    this.at += 1
  }

  async close() {
    await this.pages.return?.()
  }
}

/**
 * Columns side by side: a row for each time at which one of them has a value, or `timesOf` has. Each
 * column is held by the page, however long it is.
 */
export async function* mergedRows(
  columns: readonly Column[],
  missing: Missing,
  timesOf?: number,
): AsyncIterable<Row[]> {
  const cursors = columns.map(({ pages, edges }) => new Cursor(pages, edges.before))
  let rows: Row[] = []
  try {
    for (;;) {
      // Asked first: a wait for each row of millions would cost more than the row.
      if (cursors.some(({ isDry }) => isDry)) await refill(cursors)
      const t = nextTime(cursors)
      if (t === Infinity) break
      const wanted = timesOf === undefined || cursors[timesOf]?.head?.t === t
      const row = rowAt(t, cursors, { columns, missing })
      if (wanted && isWhole(row)) rows.push(row)
      if (rows.length < rowsAtOnce) continue
      yield rows
      rows = []
    }
    if (rows.length > 0) yield rows
  } finally {
    for (const cursor of cursors) await cursor.close()
  }
}

/** A row that a policy leaves out has an undefined in it. */
const isWhole = ({ values }: Row) => !values.includes(undefined)

async function refill(cursors: readonly Cursor[]) {
  for (const cursor of cursors) if (cursor.isDry) await cursor.more()
}

function nextTime(cursors: readonly Cursor[]) {
  let t = Infinity
  for (const { head } of cursors) if (head && head.t < t) t = head.t
  return t
}

type Filling = { columns: readonly Column[]; missing: Missing }

function rowAt(t: number, cursors: readonly Cursor[], { columns, missing }: Filling): Row {
  const values: Row['values'] = []
  const fresh: boolean[] = []
  let q = 0
  for (const [index, cursor] of cursors.entries()) {
    const { head } = cursor
    const here = head?.t === t ? head : undefined
    fresh.push(here !== undefined)
    if (here) {
      values.push(here.v)
      q = Math.max(q, here.q)
      cursor.pass()
      continue
    }
    const edges = columns[index]?.edges ?? {}
    const around = { before: cursor.before, after: head ?? edges.after }
    values.push(fillValue(t, around, missing, edges.current))
    q = Math.max(q, cursor.before?.q ?? 0)
  }
  return { t, values, fresh, q }
}

type GridColumn = {
  values: readonly (Value | undefined)[]
  measured: ReadonlySet<number>
  /** Steps that are not good. */
  grades: ReadonlyMap<number, number>
}

/** Rows of columns that have a value, or a gap, for each of the same times. */
export function* rowsOfGrid(
  times: readonly number[],
  columns: readonly GridColumn[],
): Iterable<Row[]> {
  let rows: Row[] = []
  for (const [index, t] of times.entries()) {
    const values = columns.map((column) => column.values[index])
    if (values.includes(undefined)) continue
    const q = Math.max(0, ...columns.map(({ grades }) => grades.get(t) ?? 0))
    rows.push({ t, values, fresh: columns.map(({ measured }) => measured.has(t)), q })
    if (rows.length < rowsAtOnce) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}
