import type { DeliveryRow } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'
import { type Content, contentOf } from '../texts/content.ts'
import { readAlarm } from '../read-alarm.ts'
import { alarmsOfMessage, type findMessage } from './delivery-store.ts'
import { languageOf } from '../recipients/audience.ts'
import type { ToldAlarm } from '../message-contract.ts'
import { mostListed } from '../message-limits.ts'
import { type Reader, readerOf } from './reader-rights.ts'

type Deps = Pick<NotificationsDeps, 'db' | 'admit' | 'clients' | 'site' | 'now'>
export type Message = NonNullable<Awaited<ReturnType<typeof findMessage>>>

type Composed = { content: Content; alarms: ToldAlarm[] } | { gate: string }

/** Content of a delivery for its reader by their rights of this moment, or the gate that keeps it from them. */
export async function composeDelivery(
  deps: Deps,
  delivery: DeliveryRow,
  message: Message,
): Promise<Composed> {
  const reader = await readerOf(deps, delivery)
  if (!reader) return { gate: 'no_right' }
  const listed: Listed = isAboutAlarms(message) ? await alarmsFor(deps, message, reader) : noAlarms
  if ('gate' in listed) return listed
  const { alarms, total } = listed
  const content = contentOf({
    kind: message.kind,
    facts: message.facts,
    severity:
      alarms.length === 0 ? message.severity : Math.max(...alarms.map(({ level }) => level)),
    alarms,
    total,
    language: languageOf(delivery.language),
    repeated: delivery.repeated,
    origin: deps.site.origin,
    now: deps.now().getTime(),
    isHidden: (alarm, path) => !reader.mayReadPath(placeOf(alarm), path),
  })
  return { content, alarms }
}

type Listed = { alarms: ToldAlarm[]; total: number } | { gate: string }
const noAlarms = { alarms: [], total: 0 }

const isAboutAlarms = ({ kind }: Message) =>
  kind === 'alarms' || kind === 'return' || kind === 'escalation'

/** Alarms of a message that a reader may see; of an escalation those that nobody has acknowledged. */
async function alarmsFor(deps: Deps, message: Message, { mayRead }: Reader): Promise<Listed> {
  const told = await alarmsOfMessage(deps.db, originOf(message))
  const visible = told.filter(mayRead)
  const read = await Promise.all(
    visible.slice(0, mostListed).map(({ alarm_id: id }) => readAlarm(deps, id)),
  )
  // A device may have moved since the alarm was judged.
  const present = read.flatMap((alarm) =>
    alarm && mayRead(placeOf(alarm)) && !alarm.isDeviceDeleted ? [alarm] : [],
  )
  if (present.length === 0) return { gate: 'no_right' }
  if (message.kind !== 'escalation') return { alarms: present, total: visible.length }
  const alarms = present.filter(isUnacknowledged)
  return alarms.length === 0 ? { gate: 'ack' } : { alarms, total: alarms.length }
}

const placeOf = ({ orgResourceId, groups }: ToldAlarm) => ({ alarm_org: orgResourceId, groups })

const isUnacknowledged = ({ isOpen, ack }: ToldAlarm) => isOpen && ack === 'REQUIRED'

/** Message whose alarms this one is about: an escalation repeats those of the first. */
const originOf = ({ id, facts }: Message) => facts.origin ?? id
