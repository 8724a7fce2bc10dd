import { coerce } from '@longreach/device-protocol/coerce'
import { valueOf } from '@longreach/formula/convert'
import { evaluateRow } from '@longreach/formula/evaluate'
import type { FormulaHistory } from '@longreach/formula/history'
import { limits } from '@longreach/formula/limits'
import type { Point, TelemetryStore, Value } from '@longreach/telemetry/store'
import type { Computed, Device, DeviceFormulas, Input, Target } from '../devices/device.ts'
import { isStruct } from '../queries/query-source.ts'
import { lastValues } from '../devices/last-values.ts'

type Options = {
  store: () => Promise<TelemetryStore>
  /** Put a computed value into the batch that is open. */
  keep: (target: Target, point: Point) => Promise<void>
  /** A value is older than what was computed: what follows it is computed again. */
  late: (device: Device, since: number) => void
}

/** Computes paths when a value of one of their inputs arrives, at that value's time. */
export function createFormulaValues({ store, keep, late }: Options) {
  const load = async (device: Device, formulas: DeviceFormulas) => {
    const telemetry = await store()
    const inputs = [...formulas.after.keys()]
    for (const [target, point] of await lastValues(telemetry, device, inputs)) {
      // A value that came meanwhile is newer.
      if (!formulas.newest.has(target)) formulas.newest.set(target, point)
    }
    for (const computed of new Set([...formulas.after.values()].flat())) {
      const { history } = computed
      // What became durable since its newest value was read arrives here as well, one by one.
      const until = (target: Target) => (formulas.newest.get(target)?.t ?? -Infinity) + 1
      if (history) await loadHistory(telemetry, device, computed, { history, until })
    }
    formulas.loaded = true
  }

  /** Every path that the value changes, in order; each is computed once. */
  const compute = (
    formulas: DeviceFormulas,
    { target, point, durable }: Arrived,
  ): Promise<void> => {
    const { newest } = formulas
    const after = formulas.after.get(target) ?? []
    const known = Math.max(...after.map((one) => newestInputTime(one, newest)))
    if (point.t < known) {
      // What is computed again is read from the store: the value must be there.
      return durable.then(() => late(target.device, point.t))
    }
    newest.set(target, point)
    const kept: Promise<void>[] = []
    const changed = new Set([target])
    for (const computed of after) {
      const v = valueAt(computed, { newest, changed, t: point.t })
      if (v === null) continue
      // No better than what it is made of.
      const result = { t: point.t, v, q: worstQuality(computed, newest) }
      newest.set(computed.target, result)
      changed.add(computed.target)
      kept.push(keep(computed.target, result))
    }
    return Promise.all(kept).then(() => undefined)
  }

  /** Computes the formulas that depend on a stored value; resolves when results are durable. Undefined without such formulas. */
  return (target: Target, point: Point, durable: Promise<void>): Promise<void> | undefined => {
    const { formulas } = target.device
    if (!formulas?.after.has(target)) return undefined
    const arrived = { target, point, durable }
    if (formulas.loaded) return compute(formulas, arrived)
    formulas.loading ??= load(target.device, formulas).finally(() => delete formulas.loading)
    return formulas.loading.then(() => compute(formulas, arrived))
  }
}

/** Value that is being stored. */
type Arrived = { target: Target; point: Point; durable: Promise<void> }

/** The quality of the worst of a path's inputs. */
const worstQuality = ({ inputs }: Computed, newest: ReadonlyMap<Target, Point>) =>
  Math.max(0, ...inputs.map((input) => (input && newest.get(input.target)?.q) ?? 0))

/** Time of the newest input of a path. */
const newestInputTime = ({ inputs }: Computed, newest: ReadonlyMap<Target, Point>) =>
  Math.max(...inputs.map((input) => (input && newest.get(input.target)?.t) ?? -Infinity))

type Moment = { newest: ReadonlyMap<Target, Point>; changed: ReadonlySet<Target>; t: number }

function valueAt(computed: Computed, moment: Moment): Value {
  const { formula, history, target } = computed
  const values = computed.inputs.map((input) => inputAt(computed, input, moment))
  if (history) {
    for (const [index, path] of formula.variables.entries()) {
      const input = computed.inputs[index]
      if (input && moment.changed.has(input.target)) {
        history.add(path, moment.t, values[index] ?? null)
      }
    }
  }
  const result = evaluateRow(formula, values, { t: moment.t, ...(history && { history }) })
  return asStored(target, result)
}

/** The result in the datatype of its path; null where there is none, or it does not fit. */
export function asStored({ leaf }: Target, result: ReturnType<typeof valueOf>): Value {
  const coerced = coerce(result, leaf.type)
  return coerced.ok ? (coerced.value as Value) : null
}

function inputAt({ missing }: Computed, input: Input | undefined, { newest, t }: Moment) {
  const point = input && newest.get(input.target)
  if (!point) return missing.padding.endsWith('ZERO') ? 0 : null
  if (point.t !== t && missing.fill === 'USE_NULL') return null
  if (point.t !== t && missing.fill === 'USE_ZERO') return 0
  return fieldValue(point.v, input.field)
}

/** The value of a path, or of a field of its struct. */
export function fieldValue(v: Value, field: string | undefined) {
  if (field === undefined) return valueOf(v)
  return isStruct(v) && Object.hasOwn(v, field) ? valueOf(v[field]) : null
}

/** Reads the past values that a formula refers to: of each input those before the time that `until` answers. */
export async function loadHistory(
  telemetry: TelemetryStore,
  device: Device,
  { formula, inputs }: Pick<Computed, 'formula' | 'inputs'>,
  { history, until }: { history: FormulaHistory; until: (target: Target) => number },
) {
  for (const [index, path] of formula.variables.entries()) {
    const input = inputs[index]
    const reach = formula.reach.get(path)
    const to = input ? until(input.target) : -Infinity
    const looksBack = input && reach && to > -Infinity
    const series = looksBack && (await findInputSeries(telemetry, device, input))
    if (!series) continue
    const points = await pointsBefore(telemetry, series.id, { to, windowMs: reach.windowMs })
    for (const { t, v } of points) history.add(path, t, fieldValue(v, input.field))
  }
}

/** The series that an input's values are in, once there is one. */
export const findInputSeries = async (
  telemetry: Pick<TelemetryStore, 'findSeries'>,
  device: Device,
  { target }: Input,
) => (await telemetry.findSeries(device.id, target.leaf.path)).find(({ org }) => org === device.org)

type Before = { to: number; windowMs: number }

async function pointsBefore(telemetry: TelemetryStore, series: number, { to, windowMs }: Before) {
  const points: Point[] = []
  const stretch = { since: Number.MIN_SAFE_INTEGER, to, limit: limits.samples }
  for await (const page of telemetry.read(series, { ...stretch, order: 'desc' })) {
    points.push(...page)
    const oldest = points.at(-1)?.t ?? 0
    if (points.length >= 2 && oldest < (points[0]?.t ?? 0) - windowMs) break
  }
  return points.toReversed()
}
