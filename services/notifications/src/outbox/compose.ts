import type { DeliveryRow } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'
import { type Content, contentOf } from '../texts/content.ts'
import { readAlarm } from '../read-alarm.ts'
import { alarmsOfMessage, type findMessage } from './delivery-store.ts'
import { languageOf } from '../recipients/audience.ts'
import type { ToldAlarm } from '../message-contract.ts'
import { mostListed } from '../message-limits.ts'
import { readerOf } from './reader-rights.ts'

type Deps = Pick<NotificationsDeps, 'db' | 'admit' | 'clients' | 'site' | 'now'>
export type Message = NonNullable<Awaited<ReturnType<typeof findMessage>>>

/** Content of a delivery for its reader by their rights of this moment, or the gate that keeps it from them. */
export async function composeDelivery(
  deps: Deps,
  delivery: DeliveryRow,
  message: Message,
): Promise<{ content: Content; alarms: ToldAlarm[] } | { gate: string }> {
  const reader = await readerOf(deps, delivery)
  if (!reader) return { gate: 'no_right' }
  const isAboutAlarms =
    message.kind !== 'more' && message.kind !== 'test' && message.kind !== 'onCall'
  const told = isAboutAlarms ? await alarmsOfMessage(deps.db, originOf(message)) : []
  const visible = told.filter(reader.mayRead)
  if (isAboutAlarms && visible.length === 0) return { gate: 'no_right' }
  const read = await Promise.all(
    visible.slice(0, mostListed).map(({ alarm_id: id }) => readAlarm(deps, id)),
  )
  // A device may have moved since the alarm was judged.
  const alarms = read.filter(
    (alarm) => alarm !== undefined && reader.mayRead(placeOf(alarm)) && !alarm.isDeviceDeleted,
  ) as ToldAlarm[] // without undefined
  if (isAboutAlarms && alarms.length === 0) return { gate: 'no_right' }
  const content = contentOf({
    kind: message.kind,
    facts: message.facts,
    severity:
      alarms.length === 0 ? message.severity : Math.max(...alarms.map(({ level }) => level)),
    alarms,
    total: Math.max(visible.length, alarms.length),
    language: languageOf(delivery.language),
    repeated: delivery.repeated,
    origin: deps.site.origin,
    now: deps.now().getTime(),
    isHidden: (alarm, path) => !reader.mayReadPath(placeOf(alarm), path),
  })
  return { content, alarms }
}

const placeOf = ({ orgResourceId, groups }: ToldAlarm) => ({ alarm_org: orgResourceId, groups })

/** Message whose alarms this one is about: an escalation repeats those of the first. */
const originOf = ({ id, facts }: Message) => facts.origin ?? id
