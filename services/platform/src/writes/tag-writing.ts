import { isDeepStrictEqual } from 'node:util'
import { coerce } from '@longreach/device-protocol/coerce'
import { encodeBson } from '@longreach/device-protocol/payload'
import type { Leaf } from '@longreach/device-protocol/read-configuration'
import { isStructValue, type Value as WireValue } from '@longreach/device-protocol/value'
import { failure } from '@longreach/kit/errors'
import type { Point } from '@longreach/telemetry/store'
import { platformContract } from '../contract.ts'
import { baseOf, type Device, limitsOf, type ValueListener } from '../devices/device.ts'
import { plain } from '../values/ingest.ts'
import type { Known } from './known.ts'
import { losesFraction } from './whole-numbers.ts'

export type Wish = { modelPath: string; v?: unknown }
type Order = { leaf: Leaf; path: string; endpoint: string; v: WireValue }
/** Result of writing one path; the value is the one that the device reported. */
export type Written = {
  modelPath: string
  status: 'sent' | 'confirmed' | 'no_answer'
  value?: unknown
  t?: number
}

/**
 * Sends values to the device, which is connected to this process, and waits until it reports them back. All
 * wishes are checked before the first is sent; a device that is away is a conflict, since nothing is
 * kept for it.
 */
export async function writeHere(
  { mqtt, ingest }: Pick<Known, 'mqtt' | 'ingest'>,
  device: Device,
  wishes: readonly Wish[],
  { timeoutMs, now, signal }: { timeoutMs: number; now: () => Date; signal: AbortSignal },
): Promise<Written[]> {
  const orders = wishes.map((wish) => toOrder(device, wish))
  const base = baseOf(device)
  const { endpoint } = mqtt
  if (!endpoint?.isConnected(base)) throw notConnected(device)
  const confirmations = orders.map((order) => confirmation(device, order, timeoutMs, signal))
  for (const { endpoint: path, path: field, v } of orders) {
    const topic = `${base}${path}`
    const payload = encodeBson({ v, t: now().getTime() })
    if (endpoint.publish(base, { topic, payload, qos: 1 }) === 0) {
      for (const { cancel } of confirmations) cancel()
      if (!device.byPath.has(field)) throw wholeStruct(field)
      throw deviceNotReached(
        device,
        'does not listen for this path yet; it may be taking over a configuration',
      )
    }
    ingest.frame(device, { direction: 'sent', topic, payload, ok: true, value: plain(v) })
  }
  return Promise.all(confirmations.map(({ result }) => result))
}

/** Error of a write to a device that is connected to no process. */
export const notConnected = (device: Device) => deviceNotReached(device, 'is not connected')

const deviceNotReached = ({ id, label }: Device, why: string) =>
  failure(platformContract, 'device_offline', { message: `${label || id} ${why}`, deviceId: id })

/** Refuses values that cannot be written, before any wait. */
export const checkWishes = (device: Device, wishes: readonly Wish[]) => {
  for (const wish of wishes) toOrder(device, wish)
}

/** The field of a struct that the device writes as a whole only. */
const wholeStruct = (field: string) =>
  failure(platformContract, 'not_writable', {
    message: `the device does not take ${field} alone; write the whole struct`,
    field,
  })

/** Value to write, of the right type; throws the reason when it cannot be written. */
function toOrder(device: Device, { modelPath, v }: Wish): Order {
  const readable = device.byPath.get(modelPath)?.leaf
  const leaf = readable?.serverEndpoint === undefined ? fieldLeaf(device, modelPath) : readable
  if (!leaf && !readable) {
    throw failure(platformContract, 'no_such_path', {
      message: `the device's configuration has no path ${modelPath}`,
      field: modelPath,
    })
  }
  if (leaf?.mode !== 'RW' || leaf.serverEndpoint === undefined) {
    throw failure(platformContract, 'not_writable', {
      message: `${modelPath} can only be read; its preset must say RW`,
      field: modelPath,
    })
  }
  const coerced = coerce((v ?? null) as WireValue | null, leaf.type, leaf.fields)
  if (!coerced.ok) {
    throw failure(platformContract, 'bad_value', {
      message: `${modelPath}: ${coerced.reason}`,
      field: modelPath,
      fault: 'value_type',
    })
  }
  if (losesFraction(v, coerced.value)) {
    throw failure(platformContract, 'bad_value', {
      message: `${modelPath} takes whole numbers; the fraction would be lost`,
      field: modelPath,
      fault: 'fraction',
    })
  }
  requireWithinLimits(device, modelPath, coerced.value)
  return { leaf, path: modelPath, endpoint: leaf.serverEndpoint, v: coerced.value }
}

/** Refuses a value outside of the model's limits, also in the fields of a struct. */
function requireWithinLimits(device: Device, field: string, v: WireValue | null) {
  if (isStructValue(v)) {
    for (const [name, one] of Object.entries(v))
      requireWithinLimits(device, `${field}/${name}`, one)
    return
  }
  const { min, max } = limitsOf(device, field)
  if (typeof v !== 'number') return
  const isBelow = min !== undefined && v < min
  if (!isBelow && (max === undefined || v <= max)) return
  const limit = isBelow ? `less than its minimum ${min}` : `more than its maximum ${max}`
  throw failure(platformContract, 'bad_value', {
    message: `${field}: ${v} is ${limit}`,
    field,
    fault: isBelow ? 'below_minimum' : 'above_maximum',
    limit: isBelow ? min : max,
  })
}

/** A field of a writable struct. */
const fieldLeaf = ({ configuration }: Device, path: string) =>
  [...(configuration?.byServerEndpoint.values() ?? [])].find((leaf) => leaf.path === path)

/** Waits for the value at its path; a field is looked for in its struct. */
function confirmation(device: Device, order: Order, timeoutMs: number, signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<Written>()
  const wanted = plain(order.v)
  let seen: Point | undefined
  const end = (status: Written['status']) => {
    device.listeners.delete(listener)
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
    resolve({ modelPath: order.path, status, ...(seen && { value: seen.v, t: seen.t }) })
  }
  const giveUp = () => end('no_answer')
  const listener: ValueListener = ({ leaf }, point) => {
    const v = reported(order.path, leaf.path, point)
    if (v === undefined) return
    seen = { ...point, v }
    if (isSame(v, wanted)) end('confirmed')
  }
  const timer = setTimeout(giveUp, timeoutMs)
  device.listeners.add(listener)
  signal.addEventListener('abort', giveUp)
  if (timeoutMs === 0) end('sent')
  return { result: promise, cancel: giveUp }
}

function reported(path: string, reportedPath: string, { v }: Point): Point['v'] | undefined {
  if (path === reportedPath) return v
  const isField = path.startsWith(`${reportedPath}/`) && typeof v === 'object' && v !== null
  if (!isField || Array.isArray(v)) return undefined
  return v[path.slice(reportedPath.length + 1)] as Point['v'] | undefined
}

/** Registers of machines hold 32-bit floats: 21.7 comes back as 21.700000762939453. */
function isSame(reported: unknown, wanted: unknown) {
  if (typeof reported === 'number' && typeof wanted === 'number') {
    return Math.abs(reported - wanted) <= Math.max(1e-9, Math.abs(wanted) * 1e-6)
  }
  return isDeepStrictEqual(reported, wanted)
}
