import { oneAddress } from '@longreach/mail/mail-rules'
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

const channelOf = {
  mail: 'mail',
  webhook: 'webhook',
  telegram: 'telegram',
  teams: 'teams',
} as const

/** Messages that triggers send through the outbox. */
export function outgoingHandlers(deps: NotificationsDeps): Handlers<typeof outgoingContract> {
  const { db, now, site, secrets } = deps
  return {
    checkOutgoing: async ({ body: { outgoing } }) => ({
      faults: outgoing.map((one) => faultsOf(deps, one)),
      hasMail: site.mail !== undefined,
    }),

    sendOutgoing: async ({ body }) => {
      const { id, organization: org, realm, facts, language, zone, outgoing } = body
      const content = runContent({ facts, language, zone, origin: site.origin })
      const addressed = prepare(outgoing, content, facts)
      const deliveries = await db.transaction().execute(async (tx) => {
        await holdMessage(tx, id)
        const known = await tx
          .selectFrom('delivery')
          .select(['id', 'state'])
          .where('message_id', '=', id)
          .execute()
        if (known.length > 0) return known
        await insertMessage(
          tx,
          {
            id,
            notificationId: null,
            org,
            kind: 'trigger',
            about: content.subject,
            aboutOrg: body.deviceOrg,
            aboutGroups: body.deviceGroups,
            total: 0,
            severity: 0,
            facts: { trigger: facts.trigger },
          },
          now(),
        )
        const channel = channelOf[outgoing.kind]
        const common = { realm, channel, channelId: null, language, outside: true, gate: '' }
        await insertDeliveries(
          tx,
          { id, org },
          {
            addressees: addressed.map(({ recipient, prepared }) => ({
              ...common,
              id: deliveryId(id, recipient),
              recipient,
              name: recipient,
              address: prepared.kind === 'mail' ? prepared.to : '',
              host: prepared.kind === 'mail' ? 'mail' : recipient,
            })),
            now: now(),
            unlimited: channel !== 'mail',
          },
        )
        for (const { recipient, prepared } of addressed) {
          const delivery = deliveryId(id, recipient)
          const request = sealPrepared(secrets, delivery, prepared)
          await tx.insertInto('outgoing').values({ delivery_id: delivery, request }).execute()
        }
        return tx
          .selectFrom('delivery')
          .select(['id', 'state'])
          .where('message_id', '=', id)
          .execute()
      })
      return {
        deliveries: deliveries.map(({ id: one, state }) => ({
          id: one,
          isOver: state === 'DROPPED',
        })),
        request: shownRequest(addressed),
      }
    },

    tellTriggerStopped: async ({ body: { id, organization: org, sub, trigger, code, chain } }) => {
      const recipients = await resolveRecipients(deps, org, [{ type: 'user', id: sub }])
      const sent = { channels: ['inbox', 'mail'] as const, severity: 3, now: now() }
      const addressees = await audienceOf(db, recipients, sent)
      await db.transaction().execute(async (tx) => {
        await holdMessage(tx, id)
        const known = await tx
          .selectFrom('message')
          .select('id')
          .where('id', '=', id)
          .executeTakeFirst()
        if (known) return
        const message = {
          id,
          notificationId: null,
          org,
          kind: 'triggerStopped' as const,
          about: trigger,
          aboutOrg: org,
          aboutGroups: [],
          total: 0,
          severity: 3,
          facts: { trigger, code, chain },
        }
        await insertMessage(tx, message, now())
        await insertDeliveries(tx, message, { addressees, now: now() })
      })
    },
  }
}

/** Holds a message until the transaction ends, so that it is written once. */
const holdMessage = (tx: Kysely<NotificationsDb>, id: string) =>
  holdLock(tx, 'notifications.outgoing', id)

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
