import { publish } from '@longreach/kit/events'
import type { Kysely } from 'kysely'
import type { DeliveryRow, NotificationsDb } from '../database.ts'
import { outgoingContract } from './contract.ts'

type End = { state?: DeliveryRow['state']; answer?: string; gate?: string; ms: number | null }

/** Tells the end of a delivery to the service that asked for it; one that is tried again has none yet. */
export async function tellEnd(
  tx: Kysely<NotificationsDb>,
  { id, message_id: messageId }: Pick<DeliveryRow, 'id' | 'message_id'>,
  { state, answer = '', gate = '', ms }: End,
) {
  if (state === undefined || state === 'WAITING' || state === 'SENDING') return
  await publish(tx, outgoingContract.events.outgoingEnded, {
    messageId,
    deliveryId: id,
    isSent: state === 'SENT',
    answer: (answer === '' ? gate : answer).slice(0, 4_000),
    ms,
  })
}
