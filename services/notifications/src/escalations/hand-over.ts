import { randomUUID } from 'node:crypto'
import { personalChannels } from '../asked-contract.ts'
import type { NotificationsDeps } from '../deps.ts'
import { insertDeliveries, insertMessage } from '../messages/message-store.ts'
import { audienceOf } from '../recipients/audience.ts'
import { resolveRecipients } from '../recipients/resolve-recipients.ts'
import { compileOnCall } from '../schedules/on-call-rules.ts'
import type { ScheduleRow } from '../schedules/schedule-store.ts'

type Deps = Pick<NotificationsDeps, 'db' | 'clients' | 'now' | 'log'>

const longestTurnMs = 400 * 86_400_000

/** Tell each person whose turn on call has begun. */
export async function tellHandOvers(deps: Deps) {
  const schedules = await deps.db.selectFrom('schedule').selectAll().execute()
  for (const schedule of schedules) {
    try {
      await tellHandOver(deps, schedule)
    } catch (error) {
      deps.log.error(error, 'a hand-over could not be told')
    }
  }
}

async function tellHandOver(deps: Deps, { id, org, name, settings, told }: ScheduleRow) {
  const now = deps.now()
  const { personAt, turnsBetween } = compileOnCall(settings)
  const person = personAt(now.getTime())
  if (person === told) return
  const named = person === null ? [] : [{ type: 'user' as const, id: person }]
  const recipients = await resolveRecipients(deps, org, named)
  await deps.db.transaction().execute(async (tx) => {
    const own = await tx
      .updateTable('schedule')
      .set({ told: person })
      .where('id', '=', id)
      .where('told', 'is not distinct from', told)
      .returning('id')
      .executeTakeFirst()
    if (!own || recipients.organization === null || recipients.people.length === 0) return
    const [turn] = turnsBetween(now.getTime(), now.getTime() + longestTurnMs)
    const message = {
      id: randomUUID(),
      notificationId: null,
      org,
      kind: 'onCall' as const,
      about: name,
      aboutOrg: org,
      aboutGroups: [],
      total: 0,
      severity: 0,
      facts: { schedule: name, until: turn?.to ?? now.getTime(), zone: settings.zone },
    }
    await insertMessage(tx, message, now)
    const sent = { channels: personalChannels, severity: 0, now }
    await insertDeliveries(tx, message, { addressees: await audienceOf(tx, recipients, sent), now })
  })
}
