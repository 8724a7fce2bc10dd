import { coerce } from '@longreach/device-protocol/coerce'
import { decodePayload } from '@longreach/device-protocol/payload'
import { isStructValue, type Value as WireValue } from '@longreach/device-protocol/value'
import { refusal } from '@longreach/device-protocol/refusals'
import type { Point, TelemetryStore, Value } from '@longreach/telemetry/store'
import type { FastifyBaseLogger } from 'fastify'
import {
  type Device,
  type DurableListener,
  seriesTypeOf,
  type Target,
  type ValueListener,
} from '../devices/device.ts'
import { addFrame } from '../devices/device-console.ts'
import { createFormulaLate } from '../formulas/formula-late.ts'
import { createFormulaWindows } from '../formulas/formula-windows.ts'
import { createFormulaValues } from '../formulas/formula-values.ts'
import { createBatches } from './ingest-batches.ts'

/** Timestamps outside of the window are refused; a clock that is wrong by years is no measurement. */
type TimeWindow = { pastMs: number; futureMs: number }
export const defaultWindow: TimeWindow = {
  pastMs: 10 * 365.25 * 86_400_000,
  futureMs: 86_400_000,
}

type Options = {
  store: () => Promise<TelemetryStore>
  now: () => Date
  window: TimeWindow
  /** Listeners to the values of all devices. */
  listeners?: ReadonlySet<ValueListener>
  /** Listeners to all values of a flush at once. */
  durableListeners?: ReadonlySet<DurableListener>
  /** Told of every frame that is kept for the console, and of every refused one. */
  heard?: (device: Device, frame: Frame) => void
  log?: Pick<FastifyBaseLogger, 'warn'>
}
/** Value to store; `q` in the coding of the store, good when absent. A quiet one is not judged by rules. */
type Arrived = { t: number; v: WireValue; q?: number | undefined; isQuiet?: boolean }
type Frame = Parameters<typeof addFrame>[2]

const settled = Promise.resolve()

/** From a device's message to durable values: decode, coerce, check the time, batch. */
export function createIngest({ store, now, window, listeners, heard, log, ...options }: Options) {
  const onDurable = (target: Target, point: Point) => {
    if (!target.last || point.t >= target.last.t) target.last = point
    for (const listener of target.device.listeners) listener(target, point)
    if (listeners?.size) for (const listener of listeners) listener(target, point)
  }
  const batches = createBatches(store, onDurable, (values, version) => {
    for (const listener of options.durableListeners ?? []) listener(values, version)
  })

  /** Takes a refused message: it is counted and shown, and its session continues. */
  const refuse = (device: Device, topic: string, payload: Uint8Array, reason: string) => {
    device.received.refused += 1
    frame(device, { direction: 'received', topic, payload, ok: false, reason })
    return settled
  }

  const frame = (device: Device, noted: Frame) => {
    heard?.(device, noted)
    if (device.console && !addFrame(device.console, now().getTime(), noted))
      device.console = undefined
  }

  /** Why a time cannot be; undefined when it can. */
  const timeFault = (t: number) => {
    const at = now().getTime()
    if (t < at - window.pastMs) return refusal('tooOld', { time: shownTime(t) })
    if (t > at + window.futureMs) return refusal('inFuture', { time: shownTime(t) })
    return undefined
  }

  const keep = keeper(batches, store)
  const later = { store, keep, now, waitMs: 1_000, ...(log && { log }) }
  const windows = createFormulaWindows(later)
  const late = createFormulaLate({ ...later, done: windows.again })
  const computed = createFormulaValues({ store, keep, late: late.note })

  const place = (target: Target, { t, v, q = 0, isQuiet }: Arrived): Promise<void> => {
    const point = { t, v: toStoredValue(target, v), q }
    const own = batches.add(target, point, isQuiet)
    const more = computed(target, point, own)
    const done = more ? Promise.all([own, more]).then(() => undefined) : own
    windows.arrived(target, t, done)
    return done
  }

  const add = (target: Target, arrived: Arrived): Promise<void> => {
    if (target.series !== undefined && !target.ready) return place(target, arrived)
    target.ready ??= prepare(target, store)
    return target.ready.then(() => place(target, arrived))
  }

  return {
    refuse,
    frame,
    timeFault,
    /** A value that is already of the path's type, from anywhere; resolves when it is durable. */
    add,
    async settled() {
      await late.close()
      await windows.close()
      await batches.settled()
    },

    /** A message on the topic of one of the device's paths; resolves when its value is durable, or at once when it is refused. */
    value(target: Target, topic: string, payload: Uint8Array): Promise<void> {
      const { device, leaf } = target
      const decoded = decodePayload(payload)
      if (!decoded.ok) return refuse(device, topic, payload, decoded.reason)
      const t = Math.trunc(decoded.t ?? now().getTime())
      const coerced = coerce(decoded.v, leaf.type, leaf.fields)
      const fault = coerced.ok ? timeFault(t) : coerced.reason
      if (!coerced.ok || fault !== undefined) {
        return refuse(device, topic, payload, fault ?? refusal('noValue'))
      }
      if (device.console) {
        const seen = { path: leaf.path, value: plain(coerced.value), t }
        frame(device, { direction: 'received', topic, payload, ok: true, ...seen })
      }
      return add(target, { t, v: coerced.value, q: decoded.q })
    },
  }
}
export type Ingest = ReturnType<typeof createIngest>

/** Puts a computed value into the open batch, once its series is known. */
function keeper(batches: ReturnType<typeof createBatches>, store: Options['store']) {
  return (target: Target, point: Point): Promise<void> => {
    if (target.series !== undefined && !target.ready) return batches.add(target, point)
    target.ready ??= prepare(target, store)
    return target.ready.then(() => batches.add(target, point))
  }
}

const shownTime = (t: number) => (Math.abs(t) <= 8.64e15 ? new Date(t).toISOString() : String(t))

/** Find the series; for a struct also the last fields, since only those that changed are sent. */
async function prepare(target: Target, store: () => Promise<TelemetryStore>) {
  try {
    const { device, leaf } = target
    const telemetry = await store()
    target.series = await telemetry.seriesOf(device.org, device.id, leaf.path, seriesTypeOf(leaf))
    if (leaf.type !== 'struct' || target.last) return
    const [last] = await telemetry.last([target.series])
    if (last) target.last = last
  } finally {
    delete target.ready
  }
}

/** The value as it is stored; a struct is completed with the last known fields. */
function toStoredValue(target: Target, v: WireValue): Value {
  if (target.leaf.type !== 'struct') return plain(v)
  const known = target.fields ?? target.last?.v
  target.fields = { ...(isStructValue(known) && known), ...(plain(v) as object) }
  return target.fields
}

/** Bytes become base64 text. */
export function plain(v: WireValue): Value {
  if (typeof v !== 'object') return v
  if (v instanceof Uint8Array) return Buffer.from(v).toString('base64')
  if (Array.isArray(v)) return v.map(plain)
  return Object.fromEntries(
    Object.entries(v).map(([name, one]) => [name, one === null ? null : plain(one)]),
  )
}
