/** A whole packet is `bytes` from its first byte; `bodyAt` is where the variable header begins. */
export type OnFrame = (bytes: Buffer, bodyAt: number) => void
export type FrameFault = 'too_large' | 'malformed'

/**
 * Cut a byte stream into MQTT packets before anything is parsed, so that a packet's size is judged
 * by its header and not after it has been collected. The returned function takes a chunk and says
 * what is wrong with it, if anything; after a fault the stream is of no use.
 */
export function createFrameReader(onFrame: OnFrame, largest: () => number) {
  let held: Buffer[] = []
  let heldBytes = 0
  let needed = 0

  return (chunk: Buffer): FrameFault | undefined => {
    held.push(chunk)
    heldBytes += chunk.length
    if (heldBytes < needed) return undefined
    const bytes = held.length === 1 ? chunk : Buffer.concat(held, heldBytes)
    let at = 0
    needed = 0
    while (at < bytes.length) {
      const headerBytes = headerLength(bytes, at)
      if (headerBytes < 0) return 'malformed'
      if (headerBytes === 0) break
      const size = headerBytes + remainingLength(bytes, at)
      if (size > largest()) return 'too_large'
      if (at + size > bytes.length) {
        needed = size
        break
      }
      onFrame(
        at === 0 && size === bytes.length ? bytes : bytes.subarray(at, at + size),
        headerBytes,
      )
      at += size
    }
    held = at < bytes.length ? [bytes.subarray(at)] : []
    heldBytes = bytes.length - at
    return undefined
  }
}

/** Bytes of the fixed header at `at`; 0 when more must come, -1 when its length never ends. */
function headerLength(bytes: Buffer, at: number) {
  for (let index = 1; index <= 4; index++) {
    const byte = bytes[at + index]
    if (byte === undefined) return 0
    if (byte < 0x80) return index + 1
  }
  return -1
}

function remainingLength(bytes: Buffer, at: number) {
  let length = 0
  for (let index = 1; index <= 4; index++) {
    const byte = bytes[at + index] ?? 0
    length += (byte & 0x7f) * 128 ** (index - 1)
    if (byte < 0x80) break
  }
  return length
}

export type ReadTopic = (bytes: Buffer, from: number, to: number) => string

/** A topic longer than this is not held between messages. */
const longestHeld = 512

/**
 * Read topics of one client, which mostly repeats the one before: comparing bytes is several times
 * faster than a fresh text, whose hash every map has to compute again.
 */
export function createTopicReader(): ReadTopic {
  let held: Buffer = Buffer.alloc(0)
  let topic = ''
  return (bytes, from, to) => {
    if (to - from === held.length && bytes.compare(held, 0, held.length, from, to) === 0) {
      return topic
    }
    const fresh = bytes.toString('utf8', from, to)
    if (to - from > longestHeld) return fresh
    held = Buffer.from(bytes.subarray(from, to))
    topic = fresh
    return fresh
  }
}

/** A PUBLISH without properties, as nearly all are. */
export type PlainPublish = {
  topic: string
  payload: Buffer
  qos: 0 | 1 | 2
  messageId: number
}

/**
 * Read a PUBLISH by hand, several times faster than a general parser. Undefined for one with
 * properties, an alias or a mistake in it, which the general parser then judges.
 */
export function readPublish(
  bytes: Buffer,
  bodyAt: number,
  version: number,
  readTopic: ReadTopic,
): PlainPublish | undefined {
  const flags = bytes.readUInt8(0)
  const qos = (flags >> 1) & 3
  if (qos === 3 || bytes.length < bodyAt + 2) return undefined
  const topicAt = bodyAt + 2
  const topicEnd = topicAt + bytes.readUInt16BE(bodyAt)
  const idEnd = qos > 0 ? topicEnd + 2 : topicEnd
  const payloadAt = version === 5 ? idEnd + 1 : idEnd
  if (topicEnd === topicAt || payloadAt > bytes.length) return undefined
  if (version === 5 && bytes[idEnd] !== 0) return undefined
  const messageId = qos > 0 ? bytes.readUInt16BE(topicEnd) : 0
  if (qos > 0 && messageId === 0) return undefined
  return {
    topic: readTopic(bytes, topicAt, topicEnd),
    payload: bytes.subarray(payloadAt),
    qos: qos as 0 | 1 | 2, // 3 has been refused above
    messageId,
  }
}
