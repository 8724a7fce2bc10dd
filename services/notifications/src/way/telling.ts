import { wallTime } from '@longreach/calendar/wall-time'
import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { NotificationRow, NotificationsDb } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'
import { beginEscalation } from '../escalations/escalation-store.ts'
import { notificationsById } from '../rules/rule-store.ts'
import { pulseNotification } from '../pulse-rule.ts'
import { pulseAddressees } from '../pulse/pulse-sending.ts'
import { audienceOf, orNobody } from '../recipients/audience.ts'
import { insertDeliveries, insertMessage } from '../messages/message-store.ts'
import { isPersonal, recipientsOfRule } from '../rules/rule-recipients.ts'

type Db = Kysely<NotificationsDb>
type Deps = Pick<NotificationsDeps, 'db' | 'clients' | 'now' | 'log'>

/** Milliseconds after a message in which further alarms join the next one. */
const joinMs = 300_000

/** Make messages of all bundles that are due. True if there were any. */
export async function tellDue(deps: Deps) {
  const { db, now } = deps
  const due = await db
    .selectFrom('bundle')
    .select(['id', 'notification_id'])
    .where('due_at', '<=', now())
    .orderBy('due_at')
    .limit(100)
    .execute()
  const rules = await notificationsById(db, [...new Set(due.map((one) => one.notification_id))])
  for (const { id, notification_id: ruleId } of due) {
    const rule = rules.find((one) => one.id === ruleId)
    if (rule) await tellSafely(deps, rule, id)
  }
  return due.length > 0
}

/** Tell a bundle; one that fails is due again in the next round and holds up no other. */
async function tellSafely(deps: Deps, rule: NotificationRow, id: string) {
  try {
    await tellBundle(deps, rule, id)
  } catch (error) {
    deps.log.error(error, 'a message about alarms could not be made')
  }
}

async function tellBundle(deps: Deps, rule: NotificationRow, bundleId: string) {
  const isPulse = rule.id === pulseNotification
  const recipients = isPulse ? undefined : await recipientsOfRule(deps, rule)
  const now = deps.now()
  await deps.db.transaction().execute(async (tx) => {
    const bundle = await tx
      .selectFrom('bundle')
      .selectAll()
      .where('id', '=', bundleId)
      .where('due_at', '<=', now)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!bundle) return
    const messageId = randomUUID()
    const told = await takeDecisions(tx, bundleId, messageId)
    const [first] = told
    if (!first) {
      await tx.deleteFrom('bundle').where('id', '=', bundleId).execute()
      return
    }
    await tx
      .updateTable('bundle')
      .set({
        told_severity: Math.max(bundle.told_severity, first.severity),
        due_at: new Date(now.getTime() + joinMs),
      })
      .where('id', '=', bundleId)
      .execute()
    const organization = recipients?.organization?.label ?? rule.org
    const message = toMessage(rule, { id: messageId, told, first, organization, now })
    await insertMessage(tx, message, now)
    const addressees = recipients
      ? orNobody(recipients, await audienceOf(tx, recipients, sentBy(rule, first.severity, now)))
      : await pulseAddressees(tx)
    await insertDeliveries(tx, message, { addressees, now, unlimited: isPulse })
    await escalate(tx, { rule, message, told, now })
  })
}

const sentBy = ({ settings }: NotificationRow, severity: number, now: Date) => ({
  channels: settings.longreach.channels.filter(isPersonal),
  severity,
  now,
})

type Told = Awaited<ReturnType<typeof takeDecisions>>
type Telling = { id: string; told: Told; first: Told[number]; organization: string; now: Date }

/** Message about the alarms of a bundle. */
const toMessage = (rule: NotificationRow, { id, told, first, organization, now }: Telling) => ({
  id,
  notificationId: rule.id,
  org: rule.org,
  kind: first.kind === 'returned' ? ('return' as const) : ('alarms' as const),
  about: first.label,
  aboutOrg: first.alarm_org,
  aboutGroups: first.groups,
  total: told.length,
  severity: first.severity,
  facts: {
    rule: rule.name,
    organization,
    zone: rule.settings.longreach.zone,
    ...digestFact(rule, first.severity, now),
  },
})

type Escalated = {
  rule: NotificationRow
  message: ReturnType<typeof toMessage>
  told: Told
  now: Date
}

/** Begins the escalation of a rule that has one. */
async function escalate(tx: Db, { rule, message, told, now }: Escalated) {
  const { escalation } = rule.settings.longreach
  if (escalation === null || message.kind !== 'alarms') return
  const alarms = told.map(({ alarm_id: id }) => id)
  const ids = { escalationId: escalation, ruleId: rule.id, messageId: message.id }
  await beginEscalation(tx, { ...ids, org: rule.org, alarms }, now)
}

/** Digest that a message is: one in the morning is about the night. */
function digestFact({ settings }: NotificationRow, severity: number, now: Date) {
  const { digest, zone } = settings.longreach
  if (!digest || severity >= 6) return {}
  const { hour } = wallTime(now.getTime(), zone)
  return { digest: hour >= 4 && hour < 12 ? ('morning' as const) : ('other' as const) }
}

/** Mark the decisions of a bundle as told by a message; the worst and oldest come first. */
async function takeDecisions(tx: Db, bundleId: string, messageId: string) {
  const rows = await tx
    .updateTable('decision')
    .set({ state: 'TOLD', message_id: messageId, due_at: null })
    .where('bundle_id', '=', bundleId)
    .where('state', '=', 'GROUPED')
    .returning(['id', 'kind', 'severity', 'label', 'alarm_id', 'alarm_org', 'groups'])
    .execute()
  return rows.toSorted((a, b) => b.severity - a.severity || a.id - b.id)
}
