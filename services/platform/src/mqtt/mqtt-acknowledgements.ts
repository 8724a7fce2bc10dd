import type { Reason } from './mqtt-reasons.ts'

type Waiting = {
  durable: Promise<void>
  done: boolean
  packed: number[]
  count: number
  bytes: number
}

/**
 * Acknowledgements that leave in the order their messages came (MQTT-4.6.0-2), each only when its
 * message is durable. Messages of one batch share one promise, so a batch costs one write.
 */
export function createAcknowledgements(options: {
  send: (bytes: Buffer) => void
  /** A message could not be stored: neither it nor any after it may be acknowledged. */
  failed: (error: unknown) => void
  /** `count` messages with `bytes` in all are no longer waiting for the store. */
  drained: (count: number, bytes: number) => void
}) {
  const line: Waiting[] = []
  let broken = false

  // One that failed is never done, so that nothing behind it is acknowledged.
  const settle = () => {
    for (let first = line[0]; first?.done; first = line[0]) {
      line.shift()
      if (first.packed.length > 0) options.send(write(first.packed))
      options.drained(first.count, first.bytes)
    }
  }

  return {
    /** `ack` is undefined for QoS 0, which waits in line only to be counted. */
    add(durable: Promise<void>, bytes: number, ack?: number) {
      const last = line.at(-1)
      if (last && !last.done && last.durable === durable) {
        if (ack !== undefined) last.packed.push(ack)
        last.count += 1
        last.bytes += bytes
        return
      }
      const packed = ack === undefined ? [] : [ack]
      const waiting = { durable, done: false, packed, count: 1, bytes }
      line.push(waiting)
      durable.then(
        () => {
          waiting.done = true
          settle()
        },
        (error: unknown) => {
          if (!broken) options.failed(error)
          broken = true
        },
      )
    },
  }
}

/** PUBACK (QoS 1) or PUBREC (QoS 2) of a message, with a reason for MQTT 5, as one number. */
export const acknowledge = (messageId: number, qos: 1 | 2, reason: Reason = 0) =>
  messageId | ((qos - 1) << 16) | (reason << 17)

function write(packed: readonly number[]) {
  let size = packed.length * 4
  for (const ack of packed) if (ack >>> 17 !== 0) size += 1
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const ack of packed) {
    const code = ack >>> 17
    bytes[at++] = (ack & 0x10000) === 0 ? 0x40 : 0x50
    bytes[at++] = code === 0 ? 2 : 3
    bytes[at++] = (ack >>> 8) & 0xff
    bytes[at++] = ack & 0xff
    if (code !== 0) bytes[at++] = code
  }
  return bytes
}
