import type { IPublishPacket } from 'mqtt-packet'
import type { Message } from './mqtt-message.ts'
import { carriedProperties } from './mqtt-publish.ts'
import { reason, type Reason } from './mqtt-reasons.ts'
import { isTopic } from './mqtt-subscriptions.ts'

/** The message of a PUBLISH that the general parser read from `frame`; a reason when it is wrong. */
export function readMessage(
  packet: IPublishPacket,
  topic: string | undefined,
  { bytes, bodyAt }: { bytes: Buffer; bodyAt: number },
): Message | Reason {
  const { payload, qos, properties } = packet
  if (topic === undefined) return reason.topicAliasInvalid
  if (!isTopic(topic)) return reason.topicInvalid
  if (isAgainstProtocol(packet)) return reason.protocolError
  const { messageExpiryInterval } = properties ?? {}
  const carried = properties && carriedProperties(bytes, bodyAt)
  return {
    topic,
    payload: typeof payload === 'string' ? Buffer.from(payload) : payload,
    qos,
    ...(carried && { properties: carried }),
    ...(messageExpiryInterval !== undefined && {
      expiresAt: Date.now() + messageExpiryInterval * 1_000,
    }),
  }
}

/** A response topic with wildcards, or a message to be acknowledged without an id. */
function isAgainstProtocol({ qos, messageId = 0, properties }: IPublishPacket) {
  const { responseTopic } = properties ?? {}
  return (responseTopic !== undefined && !isTopic(responseTopic)) || (qos > 0 && messageId === 0)
}
