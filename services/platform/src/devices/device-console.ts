import { readRefusal, type Refusal } from '@longreach/device-protocol/refusals'

/** Frame of a device with its result, as the device console shows it. */
export type ConsoleFrame = {
  /** ms since 1970, by the platform's clock. */
  at: number
  direction: 'received' | 'sent'
  topic: string
  bytes: number
  /** First bytes as hex, so that a broken encoding can be seen. */
  head: string
  ok: boolean
  path?: string
  value?: unknown
  /** The device's own time of the value. */
  t?: number
  reason?: string
  /** The reason in parts, for words in the reader's language. */
  refusal?: Refusal
}

const kept = 500
const headBytes = 64
/** Frames are kept this long after the last look, so that a page reload finds them. */
const tailMs = 60_000

/** The last frames of one device, and who watches them now. */
export type DeviceConsole = {
  frames: ConsoleFrame[]
  watchers: Set<(frame: ConsoleFrame) => void>
  until: number
}

export const createConsole = (now: number): DeviceConsole => ({
  frames: [],
  watchers: new Set(),
  until: now + tailMs,
})

type Noted = Omit<ConsoleFrame, 'at' | 'bytes' | 'head'> & { payload: Uint8Array }

/** Characters of a value that are kept: frames of a device may be megabytes each. */
const mostOfValue = 1_000

function shortened(value: unknown) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > mostOfValue ? `${text.slice(0, mostOfValue)}…` : value
}

/** Adds a frame and passes it on; false when nobody has read for a while and the console can be deleted. */
export function addFrame(held: DeviceConsole, now: number, { payload, ...frame }: Noted): boolean {
  if (held.watchers.size > 0) held.until = now + tailMs
  else if (now > held.until) return false
  const head = Buffer.from(payload.subarray(0, headBytes)).toString('hex')
  const refusal = readRefusal(frame.reason ?? '')
  const told = { ...frame, ...(refusal && { refusal }) }
  const value = 'value' in frame && { value: shortened(frame.value) }
  const entry: ConsoleFrame = { at: now, bytes: payload.length, head, ...told, ...value }
  held.frames.push(entry)
  if (held.frames.length > kept) held.frames.shift()
  for (const watcher of held.watchers) watcher(entry)
  return true
}
