import { sql } from 'kysely'
import type { NotificationsDeps } from '../deps.ts'
import type { MessageFacts } from '../message-contract.ts'
import { readAlarm } from '../read-alarm.ts'
import type { ScheduleRow } from '../schedules/schedule-store.ts'

const dayMs = 86_400_000
/** Age of messages whose alarms may still be open, and alarms that are looked at. */
const looked = { days: 30, alarms: 200 }
const readAtOnce = 8

/** Open alarms that were told by the rules which name a schedule, themselves or by their escalation; the worst first. */
export async function openAlarmsOf(
  deps: Pick<NotificationsDeps, 'db' | 'clients' | 'now'>,
  { id, org }: Pick<ScheduleRow, 'id' | 'org'>,
): Promise<NonNullable<MessageFacts['listed']>> {
  const since = new Date(deps.now().getTime() - looked.days * dayMs)
  const { rows } = await sql<{ alarm_id: string }>`
    select d.alarm_id from notifications.decision d
    join notifications.notification n on n.id = d.notification_id
    left join notifications.escalation e
      on e.org = n.org and e.id::text = n.settings -> 'longreach' ->> 'escalation'
    where n.org = ${org} and n.deleted_at is null and d.state = 'TOLD' and d.created_at > ${since}
      and (position(${id} in n.settings::text) > 0 or position(${id} in e.settings::text) > 0)
    group by d.alarm_id order by max(d.severity) desc, max(d.id) desc
    limit ${looked.alarms}`.execute(deps.db)
  const open: NonNullable<MessageFacts['listed']> = []
  for (let at = 0; at < rows.length; at += readAtOnce) {
    const some = rows.slice(at, at + readAtOnce)
    const read = await Promise.all(some.map(({ alarm_id: alarm }) => readAlarm(deps, alarm)))
    for (const alarm of read) {
      const isShown = alarm?.isOpen === true && !alarm.isShelved && !alarm.isDeviceDeleted
      if (isShown) {
        open.push({ alarm_id: alarm.id, alarm_org: alarm.orgResourceId, groups: alarm.groups })
      }
    }
  }
  return open
}
