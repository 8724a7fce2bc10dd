import { can } from '@longreach/authorization/can'
import { rightsIn } from '@longreach/authorization/device-visibility'
import { holdLock } from '@longreach/kit/locks'
import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import { personalChannels } from '../asked-contract.ts'
import type { DeliveryRow, NotificationsDb } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'
import { insertDeliveries, insertMessage } from '../messages/message-store.ts'
import { audienceOf } from '../recipients/audience.ts'
import { resolveRecipients } from '../recipients/resolve-recipients.ts'
import type { Message } from './delivery-store.ts'

type Deps = Pick<NotificationsDeps, 'db' | 'clients' | 'admit' | 'now'>

const hourMs = 3_600_000
const longestAnswer = 500

/**
 * Tell who saved a rule last, while they may read deliveries, that one of its messages failed for good; of one
 * recipient and channel once an hour. A failure of such a message itself is told to nobody.
 */
export async function tellOwner(deps: Deps, delivery: DeliveryRow, message: Message) {
  const { notification_id: ruleId, rule_name: rule } = message
  if (ruleId === null || message.kind === 'failed') return
  const owner = await ownerOf(deps.db, ruleId).executeTakeFirst()
  if (!owner) return
  const now = deps.now()
  const named = [{ type: 'user' as const, id: owner.sub }]
  const recipients = await resolveRecipients(deps, delivery.org, named)
  const [person] = recipients.people
  if (recipients.organization === null || !person) return
  if (!(await mayRead(deps, person, delivery.org))) return
  const about = `${delivery.recipient_name} ${delivery.channel}`
  const told = {
    id: randomUUID(),
    notificationId: ruleId,
    org: delivery.org,
    kind: 'failed' as const,
    about,
    aboutOrg: delivery.org,
    aboutGroups: [],
    total: 0,
    severity: 0,
    facts: {
      rule: rule ?? '',
      organization: recipients.organization.label,
      failed: {
        recipient: delivery.recipient_name,
        channel: delivery.channel,
        answer: delivery.answer.slice(0, longestAnswer),
      },
    },
  }
  await deps.db.transaction().execute(async (tx) => {
    await holdLock(tx, 'notifications.failed', ruleId)
    // The rule may have been deleted meanwhile.
    if (!(await ownerOf(tx, ruleId).forKeyShare().executeTakeFirst())) return
    if (await wasTold(tx, { ruleId, about, since: new Date(now.getTime() - hourMs) })) return
    await insertMessage(tx, told, now)
    const sent = { channels: personalChannels, severity: 0, now }
    await insertDeliveries(tx, told, { addressees: await audienceOf(tx, recipients, sent), now })
  })
}

/** True while a person may read the deliveries of an organization. */
async function mayRead({ admit }: Deps, { sub, username, realm }: Person, org: string) {
  const admission = await admit({ kind: 'user', sub, username, realm }, org)
  return admission !== undefined && can(rightsIn(admission, org), 'notifications', 'read')
}
type Person = { sub: string; username: string; realm: string }

const ownerOf = (db: Kysely<NotificationsDb>, id: string) =>
  db
    .selectFrom('notification')
    .select('owner as sub')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)

type Told = { ruleId: string; about: string; since: Date }

const wasTold = (tx: Kysely<NotificationsDb>, { ruleId, about, since }: Told) =>
  tx
    .selectFrom('message')
    .select('id')
    .where('notification_id', '=', ruleId)
    .where('kind', '=', 'failed')
    .where('about', '=', about)
    .where('created_at', '>', since)
    .executeTakeFirst()
