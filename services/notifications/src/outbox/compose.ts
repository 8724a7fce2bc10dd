import type { DeliveryRow } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'
import type { DeliveryGate } from '../gate-names.ts'
import { contentOf } from '../texts/content.ts'
import { type ClaimedReads, type ComposedMessage, originOf, readerKey } from './claimed-reads.ts'
import type { Message } from './delivery-store.ts'
import { languageOf } from '../recipients/audience.ts'
import type { ToldAlarm } from '../message-contract.ts'
import { mostListed } from '../message-limits.ts'
import type { Reader } from './reader-rights.ts'

type Deps = Pick<NotificationsDeps, 'site' | 'now'>

/** Content of a delivery for its reader by their rights of this moment, or the gate that keeps it from them. */
export function composeDelivery(deps: Deps, composing: Composing): Promise<ComposedMessage> {
  const { delivery, message, reads } = composing
  const key = `${message.id} ${delivery.language} ${delivery.repeated} ${readerKey(delivery)}`
  const known = reads.composed.get(key) ?? compose(deps, composing)
  reads.composed.set(key, known)
  return known
}
type Composing = { delivery: DeliveryRow; message: Message; reads: ClaimedReads }

async function compose(
  deps: Deps,
  { delivery, message, reads }: Composing,
): Promise<ComposedMessage> {
  const reader = await reads.reader(delivery)
  if (!reader) return { gate: 'no_right' }
  const listed = await listedFor(reads, message, reader)
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
type Listed = Alarms | { gate: DeliveryGate }

async function listedFor(reads: ClaimedReads, message: Message, reader: Reader): Promise<Listed> {
  if (isAboutAlarms(message)) return alarmsFor(reads, message, reader)
  const visible = (message.facts.listed ?? []).filter(reader.mayRead)
  const listed = visible.slice(0, mostListed)
  const open = (await presentOf(reads, listed, reader)).filter(({ isOpen }) => isOpen)
  return { alarms: open, total: visible.length - listed.length + open.length }
}

const isAboutAlarms = ({ kind }: Message) =>
  kind === 'alarms' || kind === 'return' || kind === 'escalation'

/** Alarms of a message that a reader may see; of an escalation those that nobody has acknowledged. */
async function alarmsFor(reads: ClaimedReads, message: Message, reader: Reader): Promise<Listed> {
  const visible = reads.alarmsOf(originOf(message)).filter(reader.mayRead)
  const { digest } = message.facts
  const most = digest ? mostCounted : mostListed
  const read = visible.slice(0, most)
  const present = await presentOf(reads, read, reader)
  if (present.length === 0) return { gate: 'no_right' }
  if (message.kind !== 'escalation') {
    const open = present.filter(({ status }) => status === 'ACTIVE').length
    const counts = { open, over: present.length - open }
    const alarms = present.slice(0, mostListed)
    const total = visible.length - read.length + present.length
    return { alarms, total, counts: digest && counts }
  }
  const alarms = present.filter(isUnacknowledged)
  return alarms.length === 0 ? { gate: 'ack' } : { alarms, total: alarms.length }
}

/** Alarms of a digest that are counted by what became of them. */
const mostCounted = 200

/** Alarms as they are now; a device may have moved since its alarm was judged. */
async function presentOf(
  reads: ClaimedReads,
  listed: readonly { alarm_id: string }[],
  { mayReadAlarm }: Reader,
) {
  const read = await Promise.all(listed.map(({ alarm_id: id }) => reads.alarm(id)))
  return read.flatMap((alarm) =>
    alarm && mayReadAlarm(placeOf(alarm)) && !alarm.isDeviceDeleted ? [alarm] : [],
  )
}

const placeOf = ({ orgResourceId, groups, paths }: ToldAlarm) => ({
  alarm_org: orgResourceId,
  groups,
  paths,
})

const isUnacknowledged = ({ isOpen, ack }: ToldAlarm) => isOpen && ack === 'REQUIRED'
