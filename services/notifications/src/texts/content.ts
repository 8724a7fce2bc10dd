import type { Language } from '../asked-contract.ts'
import type { MessageFacts, MessageKind, ToldAlarm } from '../message-contract.ts'
import { mostAnHour } from '../message-limits.ts'
import { alarmText, durationText, timeText, valueText } from './alarm-text.ts'
import { fill } from './fill.ts'
import { words } from './words.ts'

/** Alarm as its texts go into a message and into templates; what the reader may not see is empty. */
type AlarmContent = {
  id: string
  device: string
  deviceId: string
  organization: string
  name: string
  text: string
  severity: string
  severityNumber: number
  since: string
  sinceMs: number
  overSince: string
  value: string
  limit: string
  consequence: string
  response: string
  respondBy: string
}

/** Message for one reader, before it has the form of a channel. */
export type Content = {
  kind: MessageKind
  language: Language
  subject: string
  alarms: AlarmContent[]
  /** Number of alarms that the reader may see; `alarms` has the first 20. */
  total: number
  severity: number
  /** Sentences in place of alarms. */
  lead: string
  /** Address of the portal. */
  url: string
  /** Text of the link to it. */
  open: string
  why: string
  repeated: string
}

export type Composed = {
  kind: MessageKind
  facts: MessageFacts
  severity: number
  /** Alarms that are listed, and the number of all. */
  alarms: readonly ToldAlarm[]
  total: number
  /** Alarms of a digest by what became of them. */
  counts?: { open: number; over: number } | undefined
  language: Language
  repeated: boolean
  origin: string
  now: number
  /** The reader may not read the values of a path of an alarm. */
  isHidden: (alarm: ToldAlarm, path: string) => boolean
}

/** Content of a message for one reader. */
export function contentOf(composed: Composed): Content {
  const { kind, facts, language, origin } = composed
  const say = words[language]
  const alarms = composed.alarms.map((alarm) => toAlarmContent(alarm, composed))
  const isOfTrigger = kind === 'triggerStopped'
  const why =
    facts.rule === undefined
      ? ''
      : fill(say.why, { rule: facts.rule, organization: facts.organization ?? '' })
  return {
    kind,
    language,
    subject: subjectOf(composed, alarms),
    alarms,
    total: composed.total,
    severity: composed.severity,
    lead: leadOf(composed),
    url: isOfTrigger ? `${origin}/trigger` : urlOf(origin, alarms),
    open: isOfTrigger ? say.openTriggers : say.open,
    why,
    repeated: composed.repeated ? say.repeated : '',
  }
}

/** Address of the alarm; of several, or none, that of the list. */
function urlOf(origin: string, alarms: readonly AlarmContent[]) {
  const [first, ...more] = alarms
  return first && more.length === 0
    ? `${origin}/alarms?alarm=${encodeURIComponent(first.id)}`
    : `${origin}/alarms`
}

function toAlarmContent(alarm: ToldAlarm, composed: Composed): AlarmContent {
  const { language, facts } = composed
  const { longreach } = alarm
  const zone = facts.zone ?? 'UTC'
  const isHidden = (path: string) => composed.isHidden(alarm, path)
  const seesValue = longreach.words !== null && !alarm.paths?.some(isHidden)
  const time = (ms: number | null) => (ms === null ? '' : timeText(ms, language, zone))
  return {
    id: alarm.id,
    device: alarm.deviceLabel,
    deviceId: alarm.deviceId,
    organization: alarm.orgResourceId,
    name: alarm.name,
    text: alarmText(alarm, { language, isHidden }),
    severity: words[language].severities[alarm.level] ?? String(alarm.level),
    severityNumber: alarm.level,
    since: time(longreach.since),
    sinceMs: longreach.since,
    overSince: time(longreach.returnedAt),
    value: seesValue ? valueText(longreach.words?.value, language) : '',
    limit: seesValue ? valueText(longreach.words?.limit, language) : '',
    consequence: longreach.consequence,
    response: longreach.response,
    respondBy: time(longreach.respondBy),
  }
}

function subjectOf(composed: Composed, alarms: readonly AlarmContent[]) {
  const say = words[composed.language]
  const isMany = composed.total > 1
  const texts: Record<MessageKind, string> = {
    alarms: isMany ? manyOf(say, alarms) : say.one,
    return: isMany ? say.manyOver : say.over,
    escalation: say.unacknowledged,
    more: say.more,
    test: say.test,
    onCall: say.onCall,
    offCall: say.offCall,
    gap: say.gap,
    failed: say.failed,
    trigger: '{trigger}',
    triggerStopped: say.triggerStopped,
  }
  if (composed.kind === 'alarms' && composed.facts.digest && composed.counts) {
    return fill(composed.facts.digest === 'morning' ? say.night : say.digest, composed.counts)
  }
  return fill(texts[composed.kind], { ...factValues(composed), ...firstValues(composed, alarms) })
}

/** Subject of several alarms, on one device or on more. */
const manyOf = (say: Say, alarms: readonly AlarmContent[]) =>
  new Set(alarms.map(({ deviceId }) => deviceId)).size > 1 ? say.manyDevices : say.many

/** Values of a subject from the facts of the message. */
function factValues({ facts, total, language }: Composed) {
  const { more = total, minutes = 0, schedule = '', until, zone = 'UTC' } = facts
  const { person = '', trigger = '' } = facts
  const time = until === undefined ? '' : timeText(until, language, zone)
  const { recipient = '' } = facts.failed ?? {}
  return { n: more, minutes, schedule, time, person, recipient, trigger }
}

/** Values of a subject from its first alarm. */
function firstValues({ alarms: [alarm], now }: Composed, [first]: readonly AlarmContent[]) {
  if (!alarm || !first) return {}
  const { since, returnedAt } = alarm.longreach
  const duration = durationText((returnedAt ?? now) - since)
  return { severity: first.severity, device: first.device, text: first.text, duration }
}

type Say = (typeof words)[Language]

/** Sentences in place of alarms, or before them, for each kind of message that has some. */
const leads: Partial<Record<MessageKind, (say: Say, composed: Composed) => string[]>> = {
  more: (say, { facts }) => [fill(say.moreText, { n: facts.more ?? 0, most: mostAnHour })],
  test: (say) => [say.testText],
  onCall: (say, composed) => [
    fill(say.onCallText, factValues(composed)),
    ...handedOver(say, composed),
  ],
  offCall: (say, composed) => [
    fill(
      composed.facts.person === undefined ? say.offCallNobody : say.offCallText,
      factValues(composed),
    ),
    ...handedOver(say, composed),
  ],
  gap(say, composed) {
    const { person, until } = composed.facts
    const text = until === undefined ? say.gapOpenText : say.gapText
    return [fill(person === undefined ? text : say.removedText, factValues(composed))]
  },
  failed: (say, { facts }) => [
    fill(say.failedText, { rule: facts.rule ?? '', recipient: '', ...facts.failed }),
  ],
  triggerStopped: stoppedTexts,
}

/** Note and number of open alarms of a hand-over. */
function handedOver(say: Say, { facts, total }: Composed) {
  const { note, noteBy = '' } = facts
  return [
    ...(note === undefined ? [] : [fill(say.note, { person: noteBy, note })]),
    fill(say.openAlarms, { n: total }),
  ]
}

const leadOf = (composed: Composed) =>
  leads[composed.kind]?.(words[composed.language], composed).join('\n\n') ?? ''

/** Reason for which a trigger does not run any more, and what to do. */
function stoppedTexts(say: Say, { facts }: Composed) {
  const reason = say.stopped[facts.code ?? ''] ?? ''
  return [reason, facts.chain ?? '', say.resume].filter((text) => text !== '')
}
