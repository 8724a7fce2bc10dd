import { alarmsContract } from '@longreach/alarms/contract'
import { onMany } from '@longreach/kit/events'
import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { NotificationsDb } from '../database.ts'

const { alarmsChanged } = alarmsContract.events
type Changed = z.output<typeof alarmsChanged.payload>

/** Changes after which an alarm may have to be told. */
const telling: ReadonlySet<Changed['kind']> = new Set([
  'raised',
  'again',
  'severity',
  'restored',
  'ladder',
  'late',
  'unshelved',
  'shown',
  'returned',
])

/** Writes a decision for each rule that may tell of a changed alarm; it is judged outside of the delivery of events. */
export const hearAlarms = (now: () => Date) =>
  onMany(alarmsChanged, async (changes, tx: Kysely<NotificationsDb>) => {
    const told = changes.filter(({ kind }) => telling.has(kind))
    if (told.length === 0) return
    const column = <T>(read: (change: Changed) => T) => told.map(read)
    // The severity of a device may be any number.
    const level = ({ severity }: Changed) => Math.min(6, Math.max(0, severity))
    await sql`
      insert into notifications.decision (notification_id, version, org, alarm_id, device_id,
        alarm_org, kind, at, severity, state, gate, due_at, created_at)
      select n.id, n.version, n.org, c.alarm_id, c.device_id, c.org, c.kind, to_timestamp(c.at / 1000),
        c.severity, 'WAITING', '', ${now()}, ${now()}
      from unnest(${column(({ id }) => id)}::text[], ${column(({ deviceId }) => deviceId)}::text[],
        ${column(({ orgResourceId }) => orgResourceId)}::text[], ${column(({ kind }) => kind)}::text[],
        ${column(({ at }) => at)}::float8[], ${column(level)}::int[])
        as c(alarm_id, device_id, org, kind, at, severity)
      join notifications.notification n on n.deleted_at is null and n.enabled
        and (n.org = c.org or (n.below and starts_with(c.org, n.org || '.')))
        and (n.minimum_severity <= c.severity or c.kind = 'returned')
      where c.kind <> 'returned' or ((n.settings -> 'longreach' ->> 'onReturn')::boolean and exists (
        select from notifications.decision d where d.notification_id = n.id
          and d.alarm_id = c.alarm_id and d.kind <> 'returned' and d.state <> 'DROPPED'))
      on conflict do nothing`.execute(tx)
  })
