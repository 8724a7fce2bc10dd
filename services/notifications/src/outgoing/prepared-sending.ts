import { oneAddress } from '@longreach/mail/mail-rules'
import type { createMailer } from '@longreach/mail/mailer'
import { channelCaller } from '../channels/channel-call.ts'
import { type CallEnd, endOfCall } from '../channels/call-rules.ts'
import type { DeliveryRow } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'
import type { DeliveryGate } from '../gate-names.ts'
import type { Prepared } from './prepared-rules.ts'

const sealOf = (id: string) => `notifications.outgoing:${id}`

export const sealPrepared = (secrets: NotificationsDeps['secrets'], id: string, one: Prepared) =>
  secrets.seal(sealOf(id), JSON.stringify(one))

type Deps = Pick<NotificationsDeps, 'db' | 'secrets' | 'site' | 'now'>
type Sent = CallEnd | { kind: 'dropped'; gate: DeliveryGate }

/** One attempt to send a message of a trigger, as it was written when it was decided. */
export async function sendPrepared(
  deps: Deps,
  mailer: ReturnType<typeof createMailer>,
  { id }: DeliveryRow,
): Promise<Sent> {
  const row = await deps.db
    .selectFrom('outgoing')
    .select('request')
    .where('delivery_id', '=', id)
    .executeTakeFirst()
  if (!row) return { kind: 'dropped', gate: 'removed' }
  const prepared = JSON.parse(deps.secrets.open(sealOf(id), row.request).toString()) as Prepared // as `sealPrepared` wrote it
  return prepared.kind === 'mail'
    ? sendPreparedMail(deps, mailer, id, prepared)
    : callPrepared(deps, id, prepared)
}

async function callPrepared(
  deps: Deps,
  id: string,
  { method, url, headers, body }: Extract<Prepared, { kind: 'call' }>,
): Promise<Sent> {
  const at = deps.now()
  const hasBody = method !== 'GET'
  const result = await channelCaller(deps).call({
    url,
    method,
    ...(hasBody && { body }),
    headers: {
      ...(hasBody && { 'Content-Type': 'application/json; charset=utf-8' }),
      ...headers,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    },
  })
  return endOfCall(result, at)
}

async function sendPreparedMail(
  { site }: Deps,
  mailer: ReturnType<typeof createMailer>,
  id: string,
  { to, subject, text }: Extract<Prepared, { kind: 'mail' }>,
): Promise<Sent> {
  if (oneAddress(to) === undefined) return { kind: 'dropped', gate: 'no_address' }
  if (!site.mail) return { kind: 'dropped', gate: 'no_mail_server' }
  const result = await mailer.send(site.mail, { to, subject, text, id })
  if (result.sent) return { kind: 'sent', answer: result.answer }
  const { answer, isFinal, mayArrive } = result.fault
  return { kind: 'failed', answer, isFinal, mayArrive }
}
