import type {
  ISubscribePacket,
  ISubackPacket,
  IUnsubackPacket,
  IUnsubscribePacket,
} from 'mqtt-packet'
import { reason } from './mqtt-reasons.ts'
import type { Session } from './mqtt-session.ts'
import { filterFault } from './mqtt-subscriptions.ts'

/** Enter the subscriptions that may be; the SUBACK says for each its QoS or why not. */
export function subscribe(
  session: Session,
  base: string,
  packet: ISubscribePacket,
  version: number,
): ISubackPacket {
  const identifier = packet.properties?.subscriptionIdentifier
  const granted = packet.subscriptions.map(({ topic, qos, nl = false }) => {
    const fault = filterFault(base, topic)
    const subscription = {
      qos,
      noLocal: nl,
      ...(identifier !== undefined && { identifier }),
    }
    if (fault === undefined && session.subscriptions.add(topic, subscription)) return qos
    // 3.1.1 knows one failure only.
    return version === 5 ? (fault ?? reason.quotaExceeded) : 0x80
  })
  return { cmd: 'suback', messageId: packet.messageId ?? 0, granted }
}

export function unsubscribe(session: Session, packet: IUnsubscribePacket): IUnsubackPacket {
  const granted = packet.unsubscriptions.map((filter) =>
    session.subscriptions.remove(filter) ? reason.success : reason.noSubscriptionExisted,
  )
  return { cmd: 'unsuback', messageId: packet.messageId ?? 0, granted }
}
