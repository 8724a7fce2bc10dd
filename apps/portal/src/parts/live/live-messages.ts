/** A value: subscription, path, ms since 1970, value, quality. */
type Value = [number, string, number, unknown, unknown]

/** Change of an alarm as the socket tells it; what is in the alarm is asked for. */
export type LiveAlarmChange = { alarm: string; kind: string; open: boolean }

/** Messages of the server on the live socket. */
export type ServerMessage =
  | { op: 'ready' }
  | { op: 'error'; code: string; message: string }
  | { op: 'sub'; id: number; ok: boolean; code?: string | undefined }
  | { op: 'values'; v: Value[] }
  | {
      op: 'status'
      id: number
      device: string
      connected: boolean
      at: number | null
      configurationApplied?: boolean | undefined
    }
  | { op: 'alarms'; id: number; changes?: LiveAlarmChange[] }
  | { op: 'inbox'; id: number; unread: number; severity: number }
  | { op: 'frame'; id: number; [more: string]: unknown }
  | { op: 'end'; id: number; code: string }
  | { op: 'delay'; delayed: boolean }
  | { op: 'pong' }

type Kinds = Record<ServerMessage['op'], (message: Record<string, unknown>) => boolean>

const kinds: Kinds = {
  ready: () => true,
  pong: () => true,
  error: ({ code }) => typeof code === 'string',
  sub: ({ id, ok }) => typeof id === 'number' && typeof ok === 'boolean',
  values: ({ v }) => Array.isArray(v) && v.every(isValue),
  status: ({ id, device, connected, at }) =>
    typeof id === 'number' &&
    typeof device === 'string' &&
    typeof connected === 'boolean' &&
    (at === null || typeof at === 'number'),
  alarms: ({ id, changes }) =>
    typeof id === 'number' && (changes === undefined || isListOf(changes, isAlarmChange)),
  inbox: ({ id, unread, severity }) =>
    typeof id === 'number' && typeof unread === 'number' && typeof severity === 'number',
  frame: ({ id }) => typeof id === 'number',
  delay: ({ delayed }) => typeof delayed === 'boolean',
  end: ({ id, code }) => typeof id === 'number' && typeof code === 'string',
}

const isListOf = (list: unknown, is: (one: unknown) => boolean) =>
  Array.isArray(list) && list.every(is)

const isAlarmChange = (one: unknown) =>
  typeof one === 'object' && one !== null && 'alarm' in one && 'kind' in one && 'open' in one

const isValue = (one: unknown) =>
  Array.isArray(one) &&
  typeof one[0] === 'number' &&
  typeof one[1] === 'string' &&
  typeof one[2] === 'number'

/** Message of a text; undefined for one of another kind or shape than these. */
export function readMessage(text: string): ServerMessage | undefined {
  const raw: unknown = JSON.parse(text)
  if (typeof raw !== 'object' || raw === null || !('op' in raw)) return undefined
  const message = { ...raw }
  const fits = Object.entries(kinds).some(([op, check]) => op === message.op && check(message))
  return fits ? (message as ServerMessage) : undefined
}
