import { FormulaHistory } from '@longreach/formula/history'
import type { Point, TelemetryStore } from '@longreach/telemetry/store'
import { evaluateRow } from '@longreach/formula/evaluate'
import type { FastifyBaseLogger } from 'fastify'
import type { Computed, Device, Target } from '../devices/device.ts'
import { asStored, fieldValue, remember, seriesOf } from './formula-values.ts'
import { type Column, mergedRows, type Row } from '../queries/query-merge.ts'

type Options = {
  store: () => Promise<TelemetryStore>
  keep: (target: Target, point: Point) => Promise<void>
  log?: Pick<FastifyBaseLogger, 'warn'>
  /** Late values come in crowds: what they change is computed once after them. */
  waitMs: number
}

/**
 * Values that arrive after newer ones: what depends on them is computed again from what is stored,
 * one device after the other, so that a flood of them takes no more than its share.
 */
export function createFormulaLate({ store, keep, log, waitMs }: Options) {
  const waiting = new Map<Device, number>()
  let timer: NodeJS.Timeout | undefined
  let working = Promise.resolve()
  let closed = false

  const work = async () => {
    // What comes meanwhile waits for its own turn: it may not be durable yet.
    const now = [...waiting]
    waiting.clear()
    for (const [device, since] of now) {
      if (closed) return
      try {
        await recompute(await store(), device, since, keep)
      } catch (error) {
        log?.warn({ err: error, device: device.id }, 'late values were not computed with')
      }
    }
  }
  const run = () => {
    timer = undefined
    working = working.then(work)
    return working
  }

  return {
    note(device: Device, since: number) {
      waiting.set(device, Math.min(since, waiting.get(device) ?? Infinity))
      if (!closed) timer ??= setTimeout(() => void run(), waitMs).unref()
    },
    /** Finish what is under way; what waits is computed now. */
    async close() {
      clearTimeout(timer)
      await run()
      closed = true
    },
  }
}
export type FormulaLate = ReturnType<typeof createFormulaLate>

type Keep = Options['keep']

/** Everything that the device computes, from `since` on; inputs before what needs them. */
async function recompute(telemetry: TelemetryStore, device: Device, since: number, keep: Keep) {
  const { formulas } = device
  if (!formulas) return
  const order = new Set([...formulas.after.values()].toSorted((a, b) => b.length - a.length).flat())
  for (const computed of inOrder(order)) await again(telemetry, device, { computed, since, keep })
}

/** Each after those it reads. */
function inOrder(computed: ReadonlySet<Computed>): Computed[] {
  const byTarget = new Map([...computed].map((one) => [one.target, one]))
  const done = new Set<Computed>()
  const visit = (one: Computed) => {
    if (done.has(one)) return
    for (const input of one.inputs) {
      const upstream = input && byTarget.get(input.target)
      if (upstream && upstream !== one && !done.has(upstream)) visit(upstream)
    }
    done.add(one)
  }
  for (const one of computed) visit(one)
  return [...done]
}

type Again = { computed: Computed; since: number; keep: Keep }

async function again(telemetry: TelemetryStore, device: Device, { computed, since, keep }: Again) {
  const { inputs, formula, missing, target } = computed
  // Of a path without history only the newest value is stored: there is nothing to compute with.
  if (inputs.some((input) => input?.target.leaf.history === false)) return
  const columns: Column[] = []
  for (const input of inputs) columns.push(await columnOf(telemetry, device, input, since))
  const history = formula.reach.size > 0 ? new FormulaHistory(formula.reach) : undefined
  if (history) await remember(telemetry, device, computed, { history, until: () => since })
  for await (const rows of mergedRows(columns, missing)) {
    const kept = rows.flatMap((row) => {
      const v = asStored(target, resultOf(computed, row, history))
      return v === null ? [] : [keep(target, { t: row.t, v, q: 0 })]
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

async function columnOf(
  telemetry: TelemetryStore,
  device: Device,
  input: Computed['inputs'][number],
  since: number,
): Promise<Column> {
  const series = input && (await seriesOf(telemetry, device, input))
  if (!series) return { pages: nothing(), edges: {} }
  const to = Number.MAX_SAFE_INTEGER
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

async function* nothing(): AsyncIterable<Point[]> {}
