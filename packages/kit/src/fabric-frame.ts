import { z } from 'zod'
import { AppError } from './errors.ts'

/** Largest frame in bytes: the limit of a NATS server that is not configured otherwise. */
const largest = 1024 * 1024

const kinds = { nothing: 0, json: 1, bytes: 2, refused: 3, failed: 4 }
const firstBytes = 3
const empty = Buffer.alloc(0)

const CallHead = z.object({ id: z.string().min(1).max(200), until: z.number() })
/** Id of a call, and the time (ms since 1970) until which its caller waits. */
type CallHead = z.output<typeof CallHead>

const Refused = z.object({
  status: z.number(),
  code: z.string(),
  details: z.record(z.string(), z.unknown()),
})

/** Frame of a message: kind (1 byte), length of the head (2 bytes), head (JSON), value. */
export function toFrame(value: unknown, head?: CallHead): Uint8Array {
  if (value instanceof Uint8Array) return frameOf(kinds.bytes, value, head)
  if (value === undefined) return frameOf(kinds.nothing, empty, head)
  return frameOf(kinds.json, Buffer.from(JSON.stringify(value)), head)
}

/** Reply frame of an expected error; the caller gets the same error. */
export const toRefusedFrame = ({ status, code, details }: AppError) =>
  frameOf(kinds.refused, Buffer.from(JSON.stringify({ status, code, details })))

/** Reply frame of a call that failed for a reason that stays in the log. */
export const failedFrame: Uint8Array = Uint8Array.of(kinds.failed, 0, 0)

function frameOf(kind: number, value: Uint8Array, head?: CallHead) {
  const text = head ? Buffer.from(JSON.stringify(head)) : empty
  const size = firstBytes + text.length + value.length
  if (size > largest) throw new Error(`a message of ${size} bytes is larger than ${largest}`)
  const frame = Buffer.allocUnsafe(size)
  frame[0] = kind
  frame.writeUInt16BE(text.length, 1)
  frame.set(text, firstBytes)
  frame.set(value, firstBytes + text.length)
  return frame
}

/** Value of a message; throws when the bytes are no frame of one. */
export function valueIn(frame: Uint8Array): unknown {
  const [kind, body] = [frame[0], frame.subarray(headEnd(frame))]
  if (kind === kinds.nothing) return undefined
  if (kind === kinds.bytes) return body
  if (kind === kinds.json) return jsonIn(body)
  throw new Error('not a message')
}

/** Head of a call; throws when the bytes are no frame of one. */
export const callHeadIn = (frame: Uint8Array): CallHead =>
  CallHead.parse(jsonIn(frame.subarray(firstBytes, headEnd(frame))))

/** Value of a reply; throws the error that it carries, or undefined for a failure without a reason. */
export function replyIn(frame: Uint8Array): { value: unknown } | undefined {
  const kind = frame[0]
  if (kind === kinds.failed) return undefined
  if (kind !== kinds.refused) return { value: valueIn(frame) }
  const { status, code, details } = Refused.parse(jsonIn(frame.subarray(headEnd(frame))))
  throw new AppError(status, code, details)
}

const jsonIn = (bytes: Uint8Array) =>
  JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()) as unknown

function headEnd(frame: Uint8Array) {
  const [high, low] = [frame[1], frame[2]]
  if (high === undefined || low === undefined) throw new Error('not a frame')
  const end = firstBytes + high * 256 + low
  if (end > frame.length) throw new Error('not a frame')
  return end
}
