import type { FormulaValue } from '@longreach/formula/tree'
import type { Page } from '@longreach/rules/replay'
import type { Point, TelemetryStore } from '@longreach/telemetry/store'
import type { Device, Input } from '../devices/device.ts'
import { findInputSeries } from '../formulas/formula-values.ts'
import { inputValue } from './device-inputs.ts'

/** Input of a rule whose values are stored. */
export type StoredInput = { input: number; series: number; field: string | undefined }

/** Inputs of a rule whose past is stored, by the sources of its inputs. */
export async function storedInputs(
  telemetry: TelemetryStore,
  device: Device,
  sources: readonly (Input | undefined)[],
): Promise<StoredInput[]> {
  const found: StoredInput[] = []
  for (const [input, source] of sources.entries()) {
    if (!source?.target.leaf.history) continue
    const series = await findInputSeries(telemetry, device, source)
    if (series) found.push({ input, series: series.id, field: source.field })
  }
  return found
}

export type StoredValue = { t: number; input: number; v: FormulaValue; q: number }

/** Newest value of each input before a time. */
export async function inputsBeforeTime(
  telemetry: TelemetryStore,
  inputs: readonly StoredInput[],
  to: number,
): Promise<StoredValue[]> {
  const found: StoredValue[] = []
  for (const { input, series, field } of inputs) {
    const range = { since: Number.MIN_SAFE_INTEGER, to, limit: 1, order: 'desc' } as const
    for await (const [point] of telemetry.read(series, range)) {
      if (point) found.push({ t: point.t, input, v: inputValue(point.v, field), q: point.q })
      break
    }
  }
  return found
}

/** Range of time, values that are not stored and stand between the others, and what ends the reading early. */
type Stretch = {
  since: number
  to: number
  beside?: readonly StoredValue[]
  signal?: AbortSignal
}

/** Column of values that is read page by page. */
class Column {
  private readonly pages: AsyncIterator<readonly Point[]>
  private readonly inputOf: (place: number) => number
  private readonly field: string | undefined
  private page: readonly Point[] = []
  private at = 0
  private isEnded = false
  constructor(
    pages: AsyncIterable<readonly Point[]>,
    inputOf: (place: number) => number,
    field?: string,
  ) {
    this.pages = pages[Symbol.asyncIterator]()
    this.inputOf = inputOf
    this.field = field
  }

  get t() {
    return this.page[this.at]?.t ?? Infinity
  }

  get isDry() {
    return !this.isEnded && this.at >= this.page.length
  }

  async fill() {
    while (this.isDry) {
      const next = await this.pages.next()
      this.isEnded = next.done === true
      this.page = next.done === true ? [] : next.value
      this.at = 0
    }
  }

  moveInto(page: Rows) {
    const point = this.page[this.at]
    if (!point) return
    page.t.push(point.t)
    page.input.push(this.inputOf(this.at))
    page.v.push(inputValue(point.v, this.field))
    page.q.push(point.q)
    this.at += 1
  }

  async close() {
    await this.pages.return?.()
  }
}

async function* asOnePage(points: readonly Point[]) {
  yield points
}

type Rows = { t: number[]; input: number[]; v: FormulaValue[]; q: number[] }
const rowsAtOnce = 5_000
const emptyRows = (): Rows => ({ t: [], input: [], v: [], q: [] })

/** Values of inputs in a range, in order of time. */
export async function* mergedInputs(
  telemetry: TelemetryStore,
  inputs: readonly StoredInput[],
  { since, to, beside = [], signal }: Stretch,
): AsyncIterable<Page> {
  const columns = inputs.map(({ series, input, field }) => {
    const pages = telemetry.read(series, { since, to, ...(signal && { signal }) })
    return new Column(pages, () => input, field)
  })
  columns.push(new Column(asOnePage(beside), (place) => beside[place]?.input ?? 0))
  let rows = emptyRows()
  try {
    for (;;) {
      // Asked first: a wait for each of millions of values would cost more than the value.
      if (columns.some(({ isDry }) => isDry)) await fillAll(columns)
      const first = earliestColumn(columns)
      if (!first) break
      first.moveInto(rows)
      if (rows.t.length < rowsAtOnce) continue
      yield rows
      rows = emptyRows()
    }
    if (rows.t.length > 0) yield rows
  } finally {
    for (const column of columns) await column.close()
  }
}

async function fillAll(columns: readonly Column[]) {
  for (const column of columns) if (column.isDry) await column.fill()
}

/** Column with the earliest value; undefined when all have ended. */
function earliestColumn(columns: readonly Column[]): Column | undefined {
  let first: Column | undefined
  for (const column of columns) {
    if (column.t < (first?.t ?? Infinity)) first = column
  }
  return first
}
