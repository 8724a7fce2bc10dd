import type { Kysely } from 'kysely'
import type { CallEnd } from '../channels/call-rules.ts'
import type { DeliveryRow, NotificationsDb } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'
import type { DeliveryGate } from '../gate-names.ts'
import { pulseChannel, watcherChannel } from '../pulse-rule.ts'
import type { Addressee } from '../recipients/audience.ts'
import { readAlarm } from '../read-alarm.ts'
import { callWatcher } from './watcher-call.ts'
import { watchedOrganizations, watcherOf } from './watcher-store.ts'

const nobody = {
  realm: '',
  channelId: null,
  address: '',
  language: 'en' as const,
  outside: true,
  gate: '' as const,
}

/** Addressees of a beat: this service itself, and the watcher of each root organization that has one. */
export async function pulseAddressees(db: Kysely<NotificationsDb>): Promise<Addressee[]> {
  const own = { ...nobody, recipient: pulseChannel, name: pulseChannel, channel: pulseChannel }
  const watched = await watchedOrganizations(db)
  return [
    own,
    ...watched.map(({ org, host }) => ({
      ...nobody,
      recipient: org,
      name: host,
      channel: watcherChannel,
      host: `watcher ${host}`,
    })),
  ]
}

/** One attempt to deliver a beat: its alarm is read as that of every message. */
export async function sendPulse(
  deps: NotificationsDeps,
  { channel, recipient, message_id: messageId }: DeliveryRow,
): Promise<CallEnd | { kind: 'dropped'; gate: DeliveryGate }> {
  const told = await deps.db
    .selectFrom('decision')
    .select('alarm_id')
    .where('message_id', '=', messageId)
    .executeTakeFirst()
  const alarm = told && (await readAlarm(deps, told.alarm_id))
  if (!alarm) return { kind: 'dropped', gate: 'no_right' }
  if (channel === pulseChannel) return { kind: 'sent', answer: '' }
  const watcher = await watcherOf(deps.db, recipient)
  return watcher ? callWatcher(deps, watcher) : { kind: 'dropped', gate: 'channel_gone' }
}
