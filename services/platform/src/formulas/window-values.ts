import { spanMs } from '@longreach/calendar/units'
import { type FormulaWindows, stepAt } from '@longreach/formula/windows'
import type { Point, TelemetryStore } from '@longreach/telemetry/store'
import type { Computed, Device } from '../devices/device.ts'
import { mergedRows } from '../queries/query-merge.ts'
import { readInputColumns, type Keep } from './formula-again.ts'
import { asStored, fieldValue, findInputSeries } from './formula-values.ts'
import { WindowRun } from './window-run.ts'

/** A path with windows: the windows are there. */
type Windowed = Computed & { windows: FormulaWindows }
export const isWindowed = (computed: Computed): computed is Windowed =>
  computed.windows !== undefined

/** Span that ends as a whole: the stretch, else the step; undefined where every value has a result of its own. */
export function outerSpan({ sampling, window }: FormulaWindows) {
  return window?.mode === 'SCALAR' ? window.span : sampling
}

/** From which time on results change when a value at `t` comes. */
export function firstChanged(windows: FormulaWindows, t: number): number {
  const span = outerSpan(windows)
  return span ? stepAt(span, t).start : t
}

/** Before which time everything is over at `now`. */
export function overBefore(windows: FormulaWindows, now: number): number {
  const span = outerSpan(windows)
  return span ? stepAt(span, now).start : Number.MAX_SAFE_INTEGER
}

/** Time from which inputs must be read, before the first result of a formula. */
function readFrom({ windows, formula }: Windowed, first: number): number {
  const { sampling, window } = windows
  let from = first
  if (window?.mode === 'MOVING') from -= spanMs(window.span)
  // Differences and what held before need the stretch before.
  else if (window) from = stepAt(window.span, from - 1).start
  if (formula.reach.size > 0) {
    const back = Math.max(...[...formula.reach.values()].map(({ windowMs }) => windowMs))
    from -= back + (sampling ? 2 * spanMs(sampling) : 0)
  }
  return sampling ? stepAt(sampling, from).start : from
}

type Asked = { computed: Windowed; since: number; to: number; keep: Keep }

/** Compute the steps from that of `since` to `to` out of what is stored; the newest result. */
export async function computeWindows(
  telemetry: TelemetryStore,
  device: Device,
  { computed, since, to, keep }: Asked,
): Promise<Point | undefined> {
  const { inputs, missing, target } = computed
  const first = firstChanged(computed.windows, since)
  const stretch = { since: readFrom(computed, first), to }
  const columns = await readInputColumns(telemetry, device, inputs, stretch)
  if (!columns) return undefined
  const run = new WindowRun(computed)
  for (const [index, { edges }] of columns.entries()) {
    const { before } = edges
    if (before) run.before(index, before.t, fieldValue(before.v, inputs[index]?.field))
  }
  let newest: Point | undefined
  const keepAll = async (points: readonly Point[]) => {
    const kept = points.flatMap((point) => {
      const v = point.t < first ? null : asStored(target, fieldValue(point.v, undefined))
      if (v === null) return []
      newest = { t: point.t, v, q: point.q }
      return [keep(target, newest)]
    })
    await Promise.all(kept)
  }
  for await (const rows of mergedRows(columns, missing)) {
    const points = rows.flatMap(({ t, values, fresh, q }) =>
      run.take({
        t,
        fresh,
        q,
        values: values.map((v, at) => fieldValue(v ?? null, inputs[at]?.field)),
      }),
    )
    await keepAll(points)
  }
  await keepAll(run.until(to))
  return newest
}

/** The time of the oldest value that came after the newest result; undefined when none did. */
export async function notComputedSince(
  telemetry: TelemetryStore,
  device: Device,
  computed: Windowed,
): Promise<number | undefined> {
  const own = await findInputSeries(telemetry, device, computed)
  const [last] = own ? await telemetry.last([own.id]) : []
  if (!last) return undefined
  const span = outerSpan(computed.windows)
  const since = span ? stepAt(span, last.t).end : last.t + 1
  let oldest: number | undefined
  for (const input of computed.inputs) {
    const series = input && (await findInputSeries(telemetry, device, input))
    if (!series) continue
    const stretch = { since, to: Number.MAX_SAFE_INTEGER, limit: 1 }
    for await (const [point] of telemetry.read(series.id, stretch)) {
      if (point) oldest = Math.min(point.t, oldest ?? Infinity)
    }
  }
  return oldest
}
