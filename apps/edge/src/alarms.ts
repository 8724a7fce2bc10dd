import { alarmBytes, type AlarmMessage } from '@longreach/device-protocol/alarm-message'
import { isStructValue, type Value } from '@longreach/device-protocol/value'
import type { Change } from '@longreach/rules/change'
import type { Logger } from 'pino'
import { readAlarms, type SavedAlarm, type SavedAlarms, saveAlarms } from './alarm-file.ts'
import { AlarmJudge } from './alarm-judge.ts'
import {
  type AlarmEvent,
  alarmValueOf,
  alarmMessage,
  type Occurrence,
  occurrenceAfter,
  textWith,
  unknownOccurrence,
} from './alarm-occurrence.ts'
import type { AgentAlarm } from './alarm-settings.ts'
import type { Entry } from './outbox-file.ts'
import { messageOf } from './retry.ts'
import type { Reading } from './tags.ts'

/** Path of alarm messages in the outbox: model paths do not begin with a slash. */
export const alarmEntry = '/alarm'

type Options = {
  alarms: readonly AgentAlarm[]
  /** Data folder of this device. */
  dir: string
  /** Keeps messages for the platform, behind the values before them. */
  add: (entries: readonly Entry[]) => void
  log: Logger
  now?: () => number
}

/**
 * Alarms that the agent judges itself, whether the platform is there or not. Each change is stored with
 * its time and sent with the values; acknowledgement and reset come back as commands.
 */
export class AgentAlarms {
  private readonly judges: readonly AlarmJudge[]
  private readonly occurrences = new Map<string, Occurrence>()
  /** Alarms that the settings do not have any more, until nothing of them is left to do. */
  private readonly gone = new Map<string, SavedAlarm>()
  private readonly options: Options
  private readonly now: () => number
  /** Logic of each alarm as it is stored. */
  private kept: readonly object[]
  private isSaveTold = false

  constructor(options: Options) {
    const { alarms, dir, log, now = Date.now } = options
    this.options = options
    this.now = now
    this.judges = alarms.map((alarm) => new AlarmJudge(alarm, now()))
    this.kept = this.logics()
    try {
      const saved = readAlarms(dir)
      if (saved) this.resume(saved)
    } catch (error) {
      log.error(`the alarms of the last run are not read and begin anew: ${messageOf(error)}`)
    }
  }

  /** Judges readings that arrived together. */
  take(readings: readonly Reading[]) {
    this.tell(this.judges.flatMap((judge) => this.changed(judge, judge.take(readings, this.now()))))
  }

  /** Runs what is due, and keeps delays under way for the next start; called once a second. */
  due() {
    this.tell(this.judges.flatMap((judge) => this.changed(judge, judge.passTime(this.now()))))
    if (this.judges.some(({ instance }, at) => instance.core !== this.kept[at])) this.save()
  }

  /** Sends what is open again, as the platform does not know after a gap whether it still is. */
  repeat() {
    const open = [...this.occurrences].filter(([, { state }]) => state !== 'closed')
    this.options.add(open.map(([name, occurrence]) => entryOf(alarmMessage(name, occurrence))))
  }

  /** Carries out a command of the platform about an occurrence. */
  receive(v: Value | null) {
    const { log, add } = this.options
    const { name, command, evTs: startedAt } = isStructValue(v) ? v : {}
    if (typeof name !== 'string' || typeof startedAt !== 'number')
      return log.warn('a command about an alarm is not understood')
    if (this.occurrences.get(name)?.startedAt !== startedAt)
      return add([entryOf(unknownOccurrence(name, startedAt, this.now()))])
    if (command !== 'ack' && command !== 'reset')
      return log.warn({ alarm: name }, 'a command about an alarm is neither ack nor reset')
    this.tell(this.happen(name, { kind: command, t: this.now() }))
    return this.forgetEnded(name)
  }

  /** Stores all for the next start. */
  save() {
    const { dir, log } = this.options
    const saved = new Map(this.gone)
    for (const { alarm, instance } of this.judges)
      saved.set(alarm.name, { rule: alarm.rule, instance })
    const alarms = [...saved].map(([name, { rule, instance }]) => {
      const occurrence = this.occurrences.get(name)
      return [name, { rule, instance, ...(occurrence && { occurrence }) }] as const
    })
    this.kept = this.logics()
    try {
      saveAlarms(dir, { at: this.now(), alarms: Object.fromEntries(alarms) })
      this.isSaveTold = false
    } catch (error) {
      if (!this.isSaveTold)
        log.error(`the alarms are not kept for the next start: ${messageOf(error)}`)
      this.isSaveTold = true
    }
  }

  private logics() {
    return this.judges.map(({ instance }) => instance.core)
  }

  private resume(saved: SavedAlarms) {
    for (const [name, one] of Object.entries(saved.alarms)) {
      if (one.occurrence) this.occurrences.set(name, one.occurrence)
      const judge = this.judges.find(({ alarm }) => alarm.name === name)
      if (judge) this.tell(this.changed(judge, judge.resume(one, saved.at)))
      else if (one.occurrence) {
        this.gone.set(name, one)
        this.tell(this.happen(name, { kind: 'ruleGone', t: this.now() }))
        this.forgetEnded(name)
      }
    }
  }

  /** Stores occurrences before their messages: an alarm that was sent is known after any end. */
  private tell(messages: readonly AlarmMessage[]) {
    if (messages.length === 0) return
    this.save()
    this.options.add(messages.map(entryOf))
  }

  private changed(judge: AlarmJudge, changes: readonly Change[]): AlarmMessage[] {
    const { name } = judge.alarm
    return changes.flatMap((change) => {
      const event = eventOf(judge, change, this.occurrences.get(name))
      return event ? this.happen(name, event) : []
    })
  }

  private happen(name: string, event: AlarmEvent): AlarmMessage[] {
    const after = occurrenceAfter(this.occurrences.get(name), event)
    if (!after) return []
    this.occurrences.set(name, after)
    this.options.log.info({ alarm: name, state: after.state }, 'an alarm changed')
    return [alarmMessage(name, after)]
  }

  private forgetEnded(name: string) {
    if (!this.gone.has(name) || this.occurrences.get(name)?.state !== 'closed') return
    this.gone.delete(name)
    this.occurrences.delete(name)
  }
}

const entryOf = (message: AlarmMessage): Entry => ({
  path: alarmEntry,
  payload: alarmBytes(message),
})

/** Event of an occurrence that a change of the rule makes; one that `unless` hides is over meanwhile. */
function eventOf(
  judge: AlarmJudge,
  change: Change,
  before: Occurrence | undefined,
): AlarmEvent | undefined {
  const { t } = change
  const { ack, reset } = judge.alarm.rule
  switch (change.kind) {
    case 'raise':
      return { kind: 'raise', t, content: contentOf(judge, change), needs: { ack, reset } }
    case 'severity':
      return { kind: 'worse', t, content: contentOf(judge, change) }
    case 'shown':
      return before && { kind: 'raise', t, content: before, needs: { ack, reset } }
    case 'return':
    case 'hidden':
      return { kind: 'return', t }
    case 'again':
    case 'suppressed':
      return undefined
  }
}

type Raised = Extract<Change, { kind: 'raise' | 'severity' }>

function contentOf({ alarm, compiled }: AlarmJudge, { severity, level, words }: Raised) {
  const [input] = compiled.leaves[compiled.shown[level] ?? 0]?.inputs ?? []
  const shown = compiled.inputs[input ?? -1]
  return {
    severity,
    description: textWith(alarm.text, words),
    tag: shown && 'path' in shown ? (shown.path ?? '') : '',
    value: alarmValueOf(words.value),
  }
}
