import { FormulaHistory } from '@longreach/formula/history'
import type { Point, TelemetryStore } from '@longreach/telemetry/store'
import { evaluateRow } from '@longreach/formula/evaluate'
import type { Computed, Device, Target } from '../devices/device.ts'
import { asStored, fieldValue, loadHistory, findInputSeries } from './formula-values.ts'
import { type Column, mergedRows, type Row } from '../queries/query-merge.ts'

/** Puts a computed value into the batch that is open; resolves when it is durable. */
export type Keep = (target: Target, point: Point) => Promise<void>

type Again = { computed: Computed; since: number; keep: Keep }

/** A path without windows, computed again from what is stored. */
export async function computeAgain(
  telemetry: TelemetryStore,
  device: Device,
  { computed, since, keep }: Again,
) {
  const { inputs, formula, missing, target } = computed
  const columns = await readInputColumns(telemetry, device, inputs, { since })
  if (!columns) return
  const history = formula.reach.size > 0 ? new FormulaHistory(formula.reach) : undefined
  if (history) await loadHistory(telemetry, device, computed, { history, until: () => since })
  for await (const rows of mergedRows(columns, missing)) {
    const kept = rows.flatMap((row) => {
      const v = asStored(target, resultOf(computed, row, history))
      return v === null ? [] : [keep(target, { t: row.t, v, q: row.q })]
    })
    await Promise.all(kept)
  }
}

function resultOf({ formula, inputs }: Computed, row: Row, history: FormulaHistory | undefined) {
  const values = row.values.map((v, index) => fieldValue(v ?? null, inputs[index]?.field))
  for (const [index, path] of formula.variables.entries()) {
    if (row.fresh[index] === true) history?.add(path, row.t, values[index] ?? null)
  }
  return evaluateRow(formula, values, { t: row.t, ...(history && { history }) })
}

type Stretch = { since: number; to?: number }

/**
 * Stored values of a formula's inputs. Undefined where one of them has no history: only its newest
 * value is stored, so there is nothing to compute with.
 */
export async function readInputColumns(
  telemetry: TelemetryStore,
  device: Device,
  inputs: Computed['inputs'],
  stretch: Stretch,
): Promise<Column[] | undefined> {
  if (inputs.some((input) => input?.target.leaf.history === false)) return undefined
  const columns: Column[] = []
  for (const input of inputs) columns.push(await readInputColumn(telemetry, device, input, stretch))
  return columns
}

async function readInputColumn(
  telemetry: TelemetryStore,
  device: Device,
  input: Computed['inputs'][number],
  { since, to = Number.MAX_SAFE_INTEGER }: Stretch,
): Promise<Column> {
  const series = input && (await findInputSeries(telemetry, device, input))
  if (!series) return { pages: noPages(), edges: {} }
  const earlier = telemetry.read(series.id, {
    since: Number.MIN_SAFE_INTEGER,
    to: since,
    order: 'desc',
    limit: 1,
  })
  let before: Point | undefined
  for await (const [point] of earlier) before ??= point
  return { pages: telemetry.read(series.id, { since, to }), edges: before ? { before } : {} }
}

async function* noPages(): AsyncIterable<Point[]> {}
