import { createMailer } from '@longreach/mail/mailer'
import { oneAddress, oneLine } from '@longreach/mail/mail-rules'
import { callChannel } from '../channels/channel-call.ts'
import { paceTarget, restUntil, takeTurn } from '../channels/pace.ts'
import type { CallEnd } from '../channels/call-rules.ts'
import type { DeliveryRow } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'
import type { DeliveryGate } from '../gate-names.ts'
import { sendPrepared } from '../outgoing/prepared-sending.ts'
import { deliverToInbox } from '../inbox/inbox-delivery.ts'
import { pulseNotification } from '../pulse-rule.ts'
import { sendPulse } from '../pulse/pulse-sending.ts'
import { pushTo } from '../push/push-call.ts'
import { mailHtml } from '../texts/mail-html.ts'
import { plainText } from '../texts/plain-text.ts'
import type { Content } from '../texts/content.ts'
import type { ClaimedReads } from './claimed-reads.ts'
import { composeDelivery } from './compose.ts'
import type { Message } from './delivery-store.ts'

/** Result of an attempt. */
export type Sent = CallEnd | { kind: 'dropped'; gate: DeliveryGate } | { kind: 'later'; at: Date }

/** Claimed delivery with its message, and what it is written from. */
export type Sending = { delivery: DeliveryRow; message: Message; reads: ClaimedReads }

export type Send = {
  one: (sending: Sending) => Promise<Sent>
  close: () => void
}

/** Sender of deliveries over every channel. */
export function createSend(deps: NotificationsDeps): Send {
  const mailer = createMailer()
  return {
    async one(sending) {
      const { delivery, message } = sending
      if (message.kind === 'trigger') return sendPrepared(deps, mailer, delivery)
      if (message.notification_id === pulseNotification) return sendPulse(deps, delivery)
      const composed = await composeDelivery(deps, sending)
      if ('gate' in composed) return { kind: 'dropped', gate: composed.gate }
      const { content, alarms } = composed
      switch (delivery.channel) {
        case 'inbox':
          return deliverToInbox(deps, delivery, { content, alarms })
        case 'mail':
          return sendMail(deps, mailer, delivery, content)
        case 'push':
          return pushTo(deps, delivery.recipient, {
            id: delivery.message_id,
            content,
            attempt: delivery.attempt,
          })
        default:
          return sendToChannel(deps, sending, content)
      }
    },
    close: mailer.close,
  }
}

/** Send to a channel of an organization; one that was deleted or switched off meanwhile gets nothing. */
async function sendToChannel(
  deps: NotificationsDeps,
  { delivery: { id, channel_id: channelId }, reads }: Sending,
  content: Content,
): Promise<Sent> {
  const channel = channelId === null ? undefined : reads.channel(channelId)
  if (!channel) return { kind: 'dropped', gate: 'channel_gone' }
  if (!channel.enabled) return { kind: 'dropped', gate: 'channel_off' }
  const kept = reads.secretsOf(channel)
  const target = paceTarget(channel, kept)
  if (target === undefined) return callChannel(deps, { id, channel, kept, content })
  const freeAt = await takeTurn(deps.db, target, deps.now())
  if (freeAt) return { kind: 'later', at: freeAt }
  const end = await callChannel(deps, { id, channel, kept, content })
  if (end.kind === 'failed' && end.retryAfterMs !== undefined) {
    await restUntil(deps.db, target, new Date(deps.now().getTime() + end.retryAfterMs))
  }
  return end
}

const longestSubject = 200

async function sendMail(
  { site }: NotificationsDeps,
  mailer: ReturnType<typeof createMailer>,
  { id, address }: DeliveryRow,
  content: Content,
): Promise<Sent> {
  if (oneAddress(address) === undefined) return { kind: 'dropped', gate: 'no_address' }
  if (!site.mail) return { kind: 'dropped', gate: 'no_mail_server' }
  const result = await mailer.send(site.mail, {
    to: address,
    subject: oneLine(content.subject, longestSubject),
    text: plainText(content),
    html: mailHtml(content),
    id,
  })
  if (result.sent) return { kind: 'sent', answer: result.answer }
  const { answer, isFinal, mayArrive } = result.fault
  return { kind: 'failed', answer, isFinal, mayArrive }
}
