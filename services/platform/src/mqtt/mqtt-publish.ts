import type { Message } from './mqtt-message.ts'

/** Kinds of property of a PUBLISH (MQTT 5 section 2.2.2.2). */
const kind = {
  payloadFormat: 0x01,
  messageExpiry: 0x02,
  contentType: 0x03,
  responseTopic: 0x08,
  correlation: 0x09,
  subscriptionIdentifier: 0x0b,
  topicAlias: 0x23,
  user: 0x26,
} as const

const carried: ReadonlySet<number> = new Set([
  kind.payloadFormat,
  kind.contentType,
  kind.responseTopic,
  kind.correlation,
  kind.user,
])

/** Properties of a PUBLISH that go on with the message, as bytes; the parser has found them sound. */
export function carriedProperties(frame: Buffer, bodyAt: number): Buffer | undefined {
  const topicEnd = bodyAt + 2 + frame.readUInt16BE(bodyAt)
  const hasId = ((frame[0] ?? 0) & 6) !== 0
  const length = readVariable(frame, topicEnd + (hasId ? 2 : 0))
  const parts: Buffer[] = []
  for (let at = length.end; at < length.end + length.value;) {
    const end = endOf(frame, at)
    if (carried.has(frame[at] ?? 0)) parts.push(frame.subarray(at, end))
    at = end
  }
  return parts.length > 0 ? Buffer.concat(parts) : undefined
}

/** End of the property at `at`. */
function endOf(bytes: Buffer, at: number) {
  switch (bytes[at]) {
    case kind.payloadFormat:
      return at + 2
    case kind.topicAlias:
      return at + 3
    case kind.messageExpiry:
      return at + 5
    case kind.subscriptionIdentifier:
      return readVariable(bytes, at + 1).end
    case kind.user: {
      const valueAt = at + 3 + bytes.readUInt16BE(at + 1)
      return valueAt + 2 + bytes.readUInt16BE(valueAt)
    }
    default:
      return at + 3 + bytes.readUInt16BE(at + 1)
  }
}

function readVariable(bytes: Buffer, at: number) {
  let value = 0
  let end = at
  for (let factor = 1; factor <= 128 ** 3; factor *= 128) {
    const byte = bytes[end++] ?? 0
    value += (byte & 0x7f) * factor
    if (byte < 0x80) break
  }
  return { value, end }
}

function variable(value: number) {
  const bytes: number[] = []
  let rest = value
  do {
    const byte = rest % 128
    rest = Math.floor(rest / 128)
    bytes.push(rest > 0 ? byte | 0x80 : byte)
  } while (rest > 0)
  return bytes
}

type Delivery = Message & { messageId: number; identifiers: readonly number[] }

/** A PUBLISH to a client; in MQTT 5 with what the publisher said of it and the time that is left. */
export function writePublish(message: Delivery, dup: boolean, version: number, now: number) {
  const { topic, payload, qos, messageId } = message
  const name = Buffer.from(topic)
  const properties = version === 5 ? propertyParts(message, now) : []
  const propertiesBytes = properties.reduce((sum, { length }) => sum + length, 0)
  const size = 2 + name.length + (qos > 0 ? 2 : 0) + propertiesBytes + payload.byteLength
  const first = [0x30 | (dup ? 8 : 0) | (qos << 1), ...variable(size)]
  const bytes = Buffer.allocUnsafe(first.length + size)
  bytes.set(first)
  let at = bytes.writeUInt16BE(name.length, first.length)
  bytes.set(name, at)
  at += name.length
  if (qos > 0) at = bytes.writeUInt16BE(messageId, at)
  for (const part of [...properties, payload]) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** The properties of a PUBLISH of MQTT 5, with their length before them. */
function propertyParts(message: Delivery, now: number) {
  const head = headProperties(message, now)
  const own = message.properties ?? []
  return [variable(head.length + own.length), head, own]
}

/** Properties that are this endpoint's to say: the time that is left, the subscriptions that matched. */
function headProperties({ expiresAt, identifiers }: Delivery, now: number): number[] {
  const bytes: number[] = []
  if (expiresAt !== undefined) {
    const left = Math.max(0, Math.ceil((expiresAt - now) / 1_000))
    bytes.push(kind.messageExpiry, left >>> 24, (left >>> 16) & 255, (left >>> 8) & 255, left & 255)
  }
  for (const identifier of identifiers) {
    bytes.push(kind.subscriptionIdentifier, ...variable(identifier))
  }
  return bytes
}
