/** A whole packet is `bytes` from its first byte; `bodyAt` is where the variable header begins. */
type OnFrame = (bytes: Buffer, bodyAt: number) => void
export type FrameFault = 'too_large' | 'malformed' | 'no_room'

type Options = {
  onFrame: OnFrame
  largest: () => number
  /** The memory for unfinished packets grows or shrinks by `bytes`; false when it may not grow. */
  resize?: (bytes: number) => boolean
}

const smallest = 256
const none = Buffer.alloc(0)

/**
 * Cut a byte stream into MQTT packets before anything is parsed, so that a packet's size is judged
 * by its header and not after it has been collected. What has come of an unfinished packet stands
 * in one buffer that grows with it. After a fault the stream is of no use.
 */
export function createFrameReader({ onFrame, largest, resize = () => true }: Options) {
  let held = none
  let used = 0
  /** Bytes of the packet that is held; 0 while its length is not known. */
  let needed = 0
  let begun = 0

  const free = () => {
    resize(-held.length)
    held = none
    used = 0
    needed = 0
  }
  const hold = (bytes: Buffer): FrameFault | undefined => {
    const size = used + bytes.length
    if (size > held.length) {
      const doubled = Math.max(size, held.length * 2, smallest)
      const capacity = needed > 0 ? Math.min(needed, doubled) : doubled
      if (!resize(capacity - held.length)) return 'no_room'
      const larger = Buffer.allocUnsafeSlow(capacity)
      held.copy(larger, 0, 0, used)
      held = larger
    }
    bytes.copy(held, used)
    used = size
    return undefined
  }
  /** Whole packets of `bytes`; the beginning of one more is held. */
  const cut = (bytes: Buffer): FrameFault | undefined => {
    let at = 0
    while (at < bytes.length) {
      const headerBytes = headerLength(bytes, at)
      if (headerBytes < 0) return 'malformed'
      const size = headerBytes === 0 ? 0 : headerBytes + remainingLength(bytes, at)
      if (size > largest()) return 'too_large'
      if (size === 0 || at + size > bytes.length) {
        needed = size
        begun += 1
        return hold(bytes.subarray(at))
      }
      const whole = at === 0 && size === bytes.length
      onFrame(whole ? bytes : bytes.subarray(at, at + size), headerBytes)
      at += size
    }
    return undefined
  }

  return {
    /** Take a chunk; what is wrong with it, if anything. */
    read(chunk: Buffer): FrameFault | undefined {
      if (used === 0) return cut(chunk)
      if (needed === 0) {
        // At most four bytes of a header.
        const bytes = Buffer.concat([held.subarray(0, used), chunk])
        free()
        return cut(bytes)
      }
      const missing = needed - used
      const fault = hold(chunk.subarray(0, missing))
      if (fault || used < needed) return fault
      const packet = held.subarray(0, needed)
      free()
      onFrame(packet, headerLength(packet, 0))
      return missing < chunk.length ? cut(chunk.subarray(missing)) : undefined
    },
    /** The unfinished packet: its bytes as announced, and a number that each new one changes. */
    unfinished: () => (used === 0 ? undefined : { needed, begun }),
    free,
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

type ReadTopic = (bytes: Buffer, from: number, to: number) => string

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
type PlainPublish = {
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
