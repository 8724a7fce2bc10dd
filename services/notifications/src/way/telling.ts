import { wallTime } from '@longreach/calendar/wall-time'
import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { NotificationRow, NotificationsDb } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'
import { beginEscalation } from '../escalations/escalation-store.ts'
import { notificationsById } from '../rules/rule-store.ts'
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
  const recipients = await recipientsOfRule(deps, rule)
  const now = deps.now()
  const channels = rule.settings.longreach.channels.filter(isPersonal)
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
    const message = {
      id: messageId,
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
        organization: recipients.organization?.label ?? rule.org,
        zone: rule.settings.longreach.zone,
        ...digestFact(rule, first.severity, now),
      },
    }
    await insertMessage(tx, message, now)
    const sent = { channels, severity: first.severity, now }
    const addressees = await audienceOf(tx, recipients, sent)
    await insertDeliveries(tx, message, { addressees: orNobody(recipients, addressees), now })
    const { escalation } = rule.settings.longreach
    if (escalation !== null && message.kind === 'alarms') {
      const alarms = told.map(({ alarm_id: id }) => id)
      await beginEscalation(
        tx,
        { escalationId: escalation, org: rule.org, ruleId: rule.id, messageId, alarms },
        now,
      )
    }
  })
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
