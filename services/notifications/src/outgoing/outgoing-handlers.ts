import { oneAddress } from '@longreach/mail/mail-rules'
import type { Signal } from '@longreach/kit/rounds'
import type { Handlers } from '@longreach/kit/service'
import { holdLock } from '@longreach/kit/locks'
import { channelCaller } from '../channels/channel-call.ts'
import { runForm, templateFault } from '../channels/templates.ts'
import type { Kysely } from 'kysely'
import type { NotificationsDb } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'
import { insertDeliveries, insertMessage } from '../messages/message-store.ts'
import { audienceOf } from '../recipients/audience.ts'
import { resolveRecipients } from '../recipients/resolve-recipients.ts'
import type { Outgoing, outgoingContract } from './contract.ts'
import { deliveryId, prepare, runContent, shownRequest } from './preparing.ts'
import { sealPrepared } from './prepared-sending.ts'

type Given = NotificationsDeps & { state: { written: Signal } }

/** Messages that triggers send through the outbox. */
export const outgoingHandlers = (deps: Given): Handlers<typeof outgoingContract> => ({
  checkOutgoing: async ({ body: { outgoing } }) => ({
    faults: outgoing.map((one) => faultsOf(deps, one)),
    hasMail: deps.site.mail !== undefined,
  }),

  sendOutgoing: async ({ body }) => {
    const { facts, language, zone, outgoing } = body
    const content = runContent({ facts, language, zone, origin: deps.site.origin })
    const addressed = prepare(outgoing, content, facts)
    const deliveries = await deps.db.transaction().execute(async (tx) => {
      await holdMessage(tx, body.id)
      const known = await outgoingDeliveries(tx, body.id)
      if (known.length > 0) return known
      await writeOutgoing(tx, deps, { body, about: content.subject, addressed })
      return outgoingDeliveries(tx, body.id)
    })
    deps.state.written.give()
    return {
      deliveries: deliveries.map(({ id, state }) => ({ id, isOver: state === 'DROPPED' })),
      request: shownRequest(addressed),
    }
  },

  tellTriggerStopped: async ({ body: { id, organization: org, sub, trigger, code, chain } }) => {
    const now = deps.now()
    const recipients = await resolveRecipients(deps, org, [{ type: 'user', id: sub }])
    const sent = { channels: ['inbox', 'mail'] as const, severity: 3, now }
    const addressees = await audienceOf(deps.db, recipients, sent)
    await deps.db.transaction().execute(async (tx) => {
      await holdMessage(tx, id)
      const known = await tx
        .selectFrom('message')
        .select('id')
        .where('id', '=', id)
        .executeTakeFirst()
      if (known) return
      const about = { about: trigger, aboutOrg: org, aboutGroups: [], total: 0, severity: 3 }
      const facts = { trigger, code, chain }
      const message = { id, notificationId: null, org, kind: 'triggerStopped' as const, facts }
      await insertMessage(tx, { ...message, ...about }, now)
      await insertDeliveries(tx, message, { addressees, now })
    })
    deps.state.written.give()
  },
})

type Db = Kysely<NotificationsDb>
type Body = Parameters<Handlers<typeof outgoingContract>['sendOutgoing']>[0]['body']
type Written = { body: Body; about: string; addressed: ReturnType<typeof prepare> }

const outgoingDeliveries = (tx: Db, messageId: string) =>
  tx.selectFrom('delivery').select(['id', 'state']).where('message_id', '=', messageId).execute()

/** Writes a message with a delivery for each recipient, and what is sent to it. */
async function writeOutgoing(
  tx: Db,
  { now, secrets }: NotificationsDeps,
  { body, about, addressed }: Written,
) {
  const { id, organization: org, realm, language, outgoing } = body
  const message = { id, notificationId: null, org, kind: 'trigger' as const, about }
  const place = { aboutOrg: body.deviceOrg, aboutGroups: body.deviceGroups, total: 0, severity: 0 }
  await insertMessage(tx, { ...message, ...place, facts: { trigger: body.facts.trigger } }, now())
  const channel = outgoing.kind
  const common = { realm, channel, channelId: null, language, outside: true, gate: '' as const }
  const addressees = addressed.map(({ recipient, prepared }) => ({
    ...common,
    id: deliveryId(id, recipient),
    recipient,
    name: recipient,
    address: prepared.kind === 'mail' ? prepared.to : '',
    host: prepared.kind === 'mail' ? 'mail' : recipient,
  }))
  const isLimited = channel === 'mail'
  await insertDeliveries(tx, { id, org }, { addressees, now: now(), unlimited: !isLimited })
  for (const { recipient, prepared } of addressed) {
    const delivery = deliveryId(id, recipient)
    const request = sealPrepared(secrets, delivery, prepared)
    await tx.insertInto('outgoing').values({ delivery_id: delivery, request }).execute()
  }
}

/** Holds a message until the transaction ends, so that it is written once. */
const holdMessage = (tx: Db, id: string) => holdLock(tx, 'notifications.outgoing', id)

type Fault = { field: string; code: string; message: string }

/** Faults of a message that is to be kept. */
function faultsOf(deps: NotificationsDeps, outgoing: Outgoing): Fault[] {
  return [...addressFaults(deps, outgoing), ...templateFaults(outgoing)]
}

function addressFaults(deps: NotificationsDeps, outgoing: Outgoing): Fault[] {
  if (outgoing.kind === 'telegram') return []
  if (outgoing.kind === 'mail') {
    if (outgoing.to.length === 0) {
      return [{ field: 'to', code: 'missing', message: 'name at least one address' }]
    }
    const bad = outgoing.to.filter((one) => oneAddress(one) === undefined)
    return bad.map((one) => ({
      field: 'to',
      code: 'invalid',
      message: `${one} is not the address of a mailbox`,
    }))
  }
  const isTeams = outgoing.kind === 'teams'
  const url = isTeams ? outgoing.endpoint : outgoing.url
  const headers = isTeams ? {} : outgoing.headers
  const refusal = channelCaller(deps).refusalOf({ url, headers })
  if (!refusal) return []
  const field = refusal.field === 'url' && isTeams ? 'endpoint' : refusal.field
  return [{ field, code: 'address_refused', message: refusal.message }]
}

function templateFaults(outgoing: Outgoing): Fault[] {
  const target = { mail: 'plain', webhook: 'json', telegram: 'plain', teams: 'markdown' } as const
  const texts = [
    { field: 'template', text: outgoing.template, as: target[outgoing.kind] },
    ...(outgoing.kind === 'mail'
      ? [{ field: 'subject', text: outgoing.subject, as: 'plain' as const }]
      : []),
  ]
  return texts.flatMap(({ field, text, as }) => {
    const fault = text.trim() === '' ? undefined : templateFault(text, as, runForm)
    if (!fault) return []
    return [{ field, code: 'template_invalid', message: `line ${fault.line}: ${fault.message}` }]
  })
}
