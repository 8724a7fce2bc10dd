/** A message, with the properties that go on to those who get it. */
export type Message = {
  topic: string
  payload: Uint8Array
  qos: 0 | 1 | 2
  /** Bytes of the wire in their order: format, content type, response topic, correlation, user's. */
  properties?: Buffer
  /** Not handed on after this moment (ms). */
  expiresAt?: number
}

export const isExpired = ({ expiresAt }: Message, now = Date.now()) =>
  expiresAt !== undefined && expiresAt <= now

/** Memory of a waiting message beside its bytes. */
const messageCost = 300

export const messageBytes = ({ topic, payload, properties }: Message) =>
  payload.byteLength + topic.length + (properties?.length ?? 0) + messageCost

/** The same message, holding nothing of the packet that it came in, which may be much larger. */
export const copyBytes = <M extends Message>(message: M): M => ({
  ...message,
  payload: copyOf(message.payload),
  ...(message.properties && { properties: copyOf(message.properties) }),
})

function copyOf(bytes: Uint8Array) {
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength)
  copy.set(bytes)
  return copy
}
