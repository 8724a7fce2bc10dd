import { Double, serialize } from 'bson'
import { refusal } from './refusals.ts'
import { isStructValue, type Value } from './value.ts'

/** Value of the source of an alarm, by the field in which it came; bytes as base64 text. */
export type AlarmValue =
  | { type: 'double' | 'integer' | 'longinteger'; value: number }
  | { type: 'boolean'; value: boolean }
  | { type: 'string' | 'binaryblob'; value: string }

/** Message of a device about one of its alarms. Times are ms since 1970. */
export type AlarmMessage = {
  /** Identity of the alarm on the device. */
  name: string
  description: string
  tag: string
  severity: number
  state: number
  /** Start of this occurrence, by which the device knows it. */
  startedAt: number
  changedAt: number
  value: AlarmValue | null
}

type Read = { ok: true; alarm: AlarmMessage } | { ok: false; reason: string }

const longestName = 200
/** Longer texts are cut. */
const longestText = 2_000
const largestSeverity = 2 ** 31 - 1

/** Reads the `v` of a decoded alarm message. Never throws. */
export function readAlarmMessage(v: Value | null): Read {
  if (!isStructValue(v)) return fault('v', 'an object')
  const { name, sev, state } = v
  if (!isAlarmName(name)) {
    return fault('name', `a text of 1 to ${longestName} characters without the character 0`)
  }
  if (typeof sev !== 'number' || !Number.isFinite(sev)) return fault('sev', 'a number')
  if (!isInteger(state) || state < 0) return fault('state', 'a whole number of bits')
  const startedAt = alarmTime(v['evTs'])
  const changedAt = alarmTime(v['ts'] ?? v['evTs'])
  if (startedAt === undefined) return fault('evTs', 'a time')
  if (changedAt === undefined) return fault('ts', 'a time')
  const alarm = {
    name,
    description: alarmText(v['desc']),
    tag: alarmText(v['tag']),
    severity: Math.max(-largestSeverity, Math.min(largestSeverity, Math.trunc(sev))),
    // Bits that nobody has defined are not kept.
    state: state & 31,
    startedAt,
    changedAt,
    value: alarmValue(v),
  }
  return { ok: true, alarm }
}

const isAlarmName = (name: unknown): name is string =>
  typeof name === 'string' && name !== '' && name.length <= longestName && !name.includes('\0')

const fault = (field: string, expected: string): Read => ({
  ok: false,
  reason: refusal('alarmField', { field, expected }),
})

const isInteger = (v: unknown): v is number => typeof v === 'number' && Number.isInteger(v)

const alarmText = (v: unknown) =>
  typeof v === 'string' ? v.slice(0, longestText).replaceAll('\0', '') : ''

/** Time of a BSON date (decoded to ms), an ISO text or a number, in ms. */
function alarmTime(v: unknown) {
  const ms = typeof v === 'string' ? Date.parse(v) : v
  return typeof ms === 'number' && Math.abs(ms) <= 8.64e15 ? Math.trunc(ms) : undefined
}

/** Value in the first field of those that a device may use. */
function alarmValue(v: Record<string, Value | null>): AlarmValue | null {
  const { v_d, v_i, v_b, v_s, v_l, v_o } = v
  if (typeof v_d === 'number' && Number.isFinite(v_d)) return { type: 'double', value: v_d }
  if (isInteger(v_i)) return { type: 'integer', value: v_i }
  if (typeof v_b === 'boolean') return { type: 'boolean', value: v_b }
  if (typeof v_s === 'string') return { type: 'string', value: alarmText(v_s) }
  if (isInteger(v_l)) return { type: 'longinteger', value: v_l }
  if (v_o instanceof Uint8Array) return { type: 'binaryblob', value: bytesText(v_o) }
  return null
}

const bytesText = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes.subarray(0, longestText)))

/** BSON message of a device about one of its alarms, with the field that belongs to its value. */
export const alarmBytes = ({ startedAt, changedAt, value, ...about }: AlarmMessage): Uint8Array =>
  serialize({
    v: {
      name: about.name,
      desc: about.description,
      tag: about.tag,
      sev: about.severity,
      state: about.state,
      evTs: new Date(startedAt),
      ts: new Date(changedAt),
      ...(value && valueField(value)),
    },
    t: new Date(changedAt),
  })

function valueField({ type, value }: AlarmValue) {
  switch (type) {
    case 'double':
      return { v_d: new Double(value) }
    case 'integer':
      return { v_i: value }
    case 'longinteger':
      return { v_l: value }
    case 'boolean':
      return { v_b: value }
    case 'string':
      return { v_s: value }
    case 'binaryblob':
      return { v_o: Buffer.from(value, 'base64') }
  }
}

/** Command to a device about one of its alarms; `startedAt` is the `evTs` that the device sent. */
type AlarmCommand = {
  name: string
  command: 'ack' | 'reset'
  startedAt: number
  user: string
  comment: string
}

/** Value of a command's message. Devices compare `evTs` as a number, and join the texts without a check. */
export const alarmCommandValue = ({ name, command, startedAt, user, comment }: AlarmCommand) => ({
  name,
  command,
  evTs: startedAt,
  user,
  comment,
})
