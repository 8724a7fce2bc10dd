import type { Language } from '../asked-contract.ts'
import type { MessageFacts, MessageKind, ToldAlarm } from '../message-contract.ts'
import { mostAnHour } from '../message-limits.ts'
import { alarmText, durationText, timeText, valueText } from './alarm-text.ts'
import { fill, words } from './words.ts'

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
    url: `${origin}/alarms`,
    why,
    repeated: composed.repeated ? say.repeated : '',
  }
}

function toAlarmContent(alarm: ToldAlarm, composed: Composed): AlarmContent {
  const { language, facts } = composed
  const { longreach } = alarm
  const zone = facts.zone ?? 'UTC'
  const isHidden = (path: string) => composed.isHidden(alarm, path)
  const seesValue = longreach.words !== null && !alarm.paths.some(isHidden)
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
    alarms: isMany ? say.many : say.one,
    return: isMany ? say.manyOver : say.over,
    escalation: say.unacknowledged,
    more: say.more,
    test: say.test,
    onCall: say.onCall,
  }
  return fill(texts[composed.kind], { ...factValues(composed), ...firstValues(composed, alarms) })
}

/** Values of a subject from the facts of the message. */
function factValues({ facts, total, language }: Composed) {
  const { more = total, minutes = 0, schedule = '', until, zone = 'UTC' } = facts
  const time = until === undefined ? '' : timeText(until, language, zone)
  return { n: more, minutes, schedule, time }
}

/** Values of a subject from its first alarm. */
function firstValues({ alarms: [alarm], now }: Composed, [first]: readonly AlarmContent[]) {
  if (!alarm || !first) return {}
  const { since, returnedAt } = alarm.longreach
  const duration = durationText((returnedAt ?? now) - since)
  return { severity: first.severity, device: first.device, text: first.text, duration }
}

function leadOf(composed: Composed) {
  const { kind, facts, language } = composed
  const say = words[language]
  if (kind === 'more') return fill(say.moreText, { n: facts.more ?? 0, most: mostAnHour })
  if (kind === 'test') return say.testText
  if (kind !== 'onCall') return ''
  return fill(say.onCallText, factValues(composed))
}
