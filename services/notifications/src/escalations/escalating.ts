import { randomUUID } from 'node:crypto'
import { personalChannels } from '../asked-contract.ts'
import type { NotificationsDeps } from '../deps.ts'
import { insertDeliveries, insertMessage } from '../messages/message-store.ts'
import { readAlarm } from '../read-alarm.ts'
import { audienceOf, orNobody } from '../recipients/audience.ts'
import { resolveRecipients } from '../recipients/resolve-recipients.ts'
import type { EscalationSettings } from './contract.ts'
import { claimRuns, endRun, moveRun, type RunRow } from './escalation-store.ts'

type Deps = Pick<NotificationsDeps, 'db' | 'clients' | 'now' | 'log'>

const minuteMs = 60_000

/** Take each escalation whose step is due one step further. */
export async function escalateDue(deps: Deps) {
  for (const run of await claimRuns(deps.db, deps.now())) {
    try {
      await takeStep(deps, run)
    } catch (error) {
      // Reserved for a minute; then it is tried again, and the other runs go on.
      deps.log.error(error, 'a step of an escalation failed')
    }
  }
}

async function takeStep(deps: Deps, run: RunRow) {
  const known = await findRun(deps, run)
  const step = known?.escalation.steps[run.step]
  if (!known || !step) return endRun(deps.db, run)
  const unacknowledged = await unacknowledgedOf(deps, run)
  const [first] = unacknowledged
  if (!first) return endRun(deps.db, run)
  const recipients = await resolveRecipients(deps, known.org, step.to)
  const now = deps.now()
  const isNobody =
    recipients.people.length + recipients.addresses.length + recipients.channels.length === 0
  const since = Math.min(...unacknowledged.map(({ longreach }) => longreach.since))
  const message = {
    id: randomUUID(),
    notificationId: run.notification_id,
    org: known.org,
    kind: 'escalation' as const,
    about: `${first.deviceLabel}: ${first.name}`,
    aboutOrg: first.orgResourceId,
    aboutGroups: first.groups,
    total: unacknowledged.length,
    severity: Math.max(...unacknowledged.map(({ level }) => level)),
    facts: {
      rule: known.rule,
      organization: recipients.organization?.label ?? known.org,
      zone: known.zone,
      origin: run.message_id,
      minutes: Math.max(1, Math.round((now.getTime() - since) / minuteMs)),
    },
  }
  await deps.db.transaction().execute(async (tx) => {
    // With nobody on call the next step comes at once.
    const next = nextOf(known.escalation, run, { now, atOnce: isNobody })
    if (!(await moveRun(tx, run, next))) return
    await insertMessage(tx, message, now)
    const sent = { channels: personalChannels, severity: message.severity, now }
    const addressees = orNobody(recipients, await audienceOf(tx, recipients, sent))
    await insertDeliveries(tx, message, { addressees, now })
  })
}

/** Rule and escalation of a run; undefined when one of them was deleted or disabled. */
async function findRun({ db }: Deps, run: RunRow) {
  const row = await db
    .selectFrom('notification as n')
    .innerJoin('escalation as e', 'e.org', 'n.org')
    .select(['n.org', 'n.name as rule', 'n.settings as settings', 'e.settings as escalation'])
    .where('n.id', '=', run.notification_id)
    .where('n.deleted_at', 'is', null)
    .where('n.enabled', '=', true)
    .where('e.id', '=', run.escalation_id)
    .executeTakeFirst()
  return row && { ...row, zone: row.settings.longreach.zone }
}

/** Alarms of a run that somebody still has to acknowledge. */
async function unacknowledgedOf(deps: Deps, { alarms }: RunRow) {
  const read = await Promise.all(alarms.map((id) => readAlarm(deps, id)))
  return read.flatMap((alarm) => {
    if (!alarm || !alarm.isOpen || alarm.ack !== 'REQUIRED') return []
    const isHidden = alarm.isShelved || alarm.isDeviceDeleted || alarm.longreach.suppressed
    return isHidden ? [] : [alarm]
  })
}

type When = { now: Date; atOnce: boolean }

/** Next step of a run; undefined after the last one of the last round. */
function nextOf(
  { steps, repeat }: EscalationSettings,
  { step, round }: Pick<RunRow, 'step' | 'round'>,
  { now, atOnce }: When,
) {
  const isLast = step + 1 >= steps.length
  if (isLast && round >= repeat) return undefined
  const place = isLast ? { step: 0, round: round + 1 } : { step: step + 1, round }
  const minutes = steps[place.step]?.afterMin ?? 0
  // A new round never follows at once, since nothing has changed.
  const waitMs = isLast ? Math.max(1, minutes) * minuteMs : atOnce ? 0 : minutes * minuteMs
  return { ...place, dueAt: new Date(now.getTime() + waitMs) }
}
