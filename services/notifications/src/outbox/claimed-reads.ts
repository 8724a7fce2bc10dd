import { type ChannelSecrets } from '../channels/contract.ts'
import { openChannel } from '../channels/channel-call.ts'
import { channelsOfIds } from '../channels/channel-store.ts'
import type { ChannelRow, DeliveryRow } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'
import type { DeliveryGate } from '../gate-names.ts'
import type { ToldAlarm } from '../message-contract.ts'
import { readAlarm } from '../read-alarm.ts'
import type { Content } from '../texts/content.ts'
import { alarmsOfMessages, findMessages, type Message } from './delivery-store.ts'
import { type Reader, readerOf } from './reader-rights.ts'

type Deps = Pick<NotificationsDeps, 'db' | 'admit' | 'clients' | 'secrets'>

/** Data from which deliveries that were claimed together are written, as they were when they were claimed. */
export type ClaimedReads = {
  message: (id: string) => Message | undefined
  /** Alarms of a message, the worst and oldest first. */
  alarmsOf: (messageId: string) => Awaited<ReturnType<typeof alarmsOfMessages>>
  channel: (id: string) => ChannelRow | undefined
  secretsOf: (channel: ChannelRow) => ChannelSecrets
  alarm: (id: string) => ReturnType<typeof readAlarm>
  reader: (delivery: DeliveryRow) => Promise<Reader | undefined>
  /** Contents that were written, by what readers share: message, language and rights. */
  composed: Map<string, Promise<ComposedMessage>>
}

/** Content of a message for a reader with its alarms, or the gate that keeps it from them. */
export type ComposedMessage = { content: Content; alarms: ToldAlarm[] } | { gate: DeliveryGate }

/** Message whose alarms this one is about: an escalation repeats those of the first. */
export const originOf = ({ id, facts }: Message) => facts.origin ?? id

/**
 * Read messages, their alarms and channels of claimed deliveries in three statements. Alarms and rights are read
 * once for all deliveries of the claim.
 */
export async function readClaimed(
  deps: Deps,
  deliveries: readonly DeliveryRow[],
): Promise<ClaimedReads> {
  const { db } = deps
  const found = await findMessages(db, [...new Set(deliveries.map((one) => one.message_id))])
  const [told, channels] = await Promise.all([
    alarmsOfMessages(db, [...new Set(found.map(originOf))]),
    channelsOfIds(db, [...new Set(deliveries.flatMap((one) => one.channel_id ?? []))]),
  ])
  const messages = new Map(found.map((one) => [one.id, one]))
  const alarms = Map.groupBy(told, (one) => one.message_id)
  const byId = new Map(channels.map((one) => [one.id, one]))
  const reader = once(readerKey, (one: DeliveryRow) => readerOf(deps, one))
  return {
    message: (id) => messages.get(id),
    alarmsOf: (id) => alarms.get(id) ?? [],
    channel: (id) => byId.get(id),
    secretsOf: once(
      ({ id }: ChannelRow) => id,
      (channel) => openChannel(deps.secrets, channel),
    ),
    alarm: once(
      (id: string) => id,
      (id) => readAlarm(deps, id),
    ),
    reader,
    composed: new Map(),
  }
}

/** Key of readers with the same rights: all outside of an organization have those that it gives away. */
export const readerKey = ({ outside, org, recipient }: DeliveryRow) =>
  outside ? org : `${org} ${recipient}`

/** Function that works once for each key, and answers the same to all who ask again. */
function once<Asked, Answer>(keyOf: (asked: Asked) => string, work: (asked: Asked) => Answer) {
  const known = new Map<string, Answer>()
  return (asked: Asked): Answer => {
    const key = keyOf(asked)
    const before = known.get(key)
    if (before !== undefined) return before
    const answer = work(asked)
    known.set(key, answer)
    return answer
  }
}
