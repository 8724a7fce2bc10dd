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
  const listed = await listedFor(deps, message, reader)
  if ('gate' in listed) return listed
  const { alarms, total, counts } = listed
  const content = contentOf({
    kind: message.kind,
    facts: message.facts,
    severity:
      alarms.length === 0 ? message.severity : Math.max(...alarms.map(({ level }) => level)),
    alarms,
    total,
    counts,
    language: languageOf(delivery.language),
    repeated: delivery.repeated,
    origin: deps.site.origin,
    now: deps.now().getTime(),
    isHidden: (alarm, path) => !reader.mayReadPath(placeOf(alarm), path),
  })
  return { content, alarms }
}

type Alarms = {
  alarms: ToldAlarm[]
  total: number
  counts?: { open: number; over: number } | undefined
}
type Listed = Alarms | { gate: string }

async function listedFor(deps: Deps, message: Message, reader: Reader): Promise<Listed> {
  if (isAboutAlarms(message)) return alarmsFor(deps, message, reader)
  const visible = (message.facts.listed ?? []).filter(reader.mayRead)
  const present = await presentOf(deps, visible.slice(0, mostListed), reader)
  const open = present.filter(({ isOpen }) => isOpen)
  return { alarms: open, total: visible.length - present.length + open.length }
}

const isAboutAlarms = ({ kind }: Message) =>
  kind === 'alarms' || kind === 'return' || kind === 'escalation'

/** Alarms of a message that a reader may see; of an escalation those that nobody has acknowledged. */
async function alarmsFor(deps: Deps, message: Message, reader: Reader): Promise<Listed> {
  const told = await alarmsOfMessage(deps.db, originOf(message))
  const visible = told.filter(reader.mayRead)
  const { digest } = message.facts
  const most = digest ? mostCounted : mostListed
  const present = await presentOf(deps, visible.slice(0, most), reader)
  if (present.length === 0) return { gate: 'no_right' }
  if (message.kind !== 'escalation') {
    const open = present.filter(({ status }) => status === 'ACTIVE').length
    const counts = { open, over: present.length - open }
    const alarms = present.slice(0, mostListed)
    return { alarms, total: visible.length, counts: digest && counts }
  }
  const alarms = present.filter(isUnacknowledged)
  return alarms.length === 0 ? { gate: 'ack' } : { alarms, total: alarms.length }
}

/** Alarms of a digest that are counted by what became of them. */
const mostCounted = 200

/** Alarms as they are now; a device may have moved since its alarm was judged. */
async function presentOf(deps: Deps, listed: readonly { alarm_id: string }[], { mayRead }: Reader) {
  const read = await Promise.all(listed.map(({ alarm_id: id }) => readAlarm(deps, id)))
  return read.flatMap((alarm) =>
    alarm && mayRead(placeOf(alarm)) && !alarm.isDeviceDeleted ? [alarm] : [],
  )
}

const placeOf = ({ orgResourceId, groups }: ToldAlarm) => ({ alarm_org: orgResourceId, groups })

const isUnacknowledged = ({ isOpen, ack }: ToldAlarm) => isOpen && ack === 'REQUIRED'

/** Message whose alarms this one is about: an escalation repeats those of the first. */
const originOf = ({ id, facts }: Message) => facts.origin ?? id
