import { carryOver } from '@longreach/rules/carry-over'
import type { Change } from '@longreach/rules/change'
import { compileRule } from '@longreach/rules/compile'
import type { CompiledRule } from '@longreach/rules/compiled'
import type { Given } from '@longreach/rules/input'
import { type Instance, newInstance } from '@longreach/rules/state'
import { step } from '@longreach/rules/step'
import type { SavedAlarm } from './alarm-file.ts'
import type { AgentAlarm } from './alarm-settings.ts'
import type { Reading } from './tags.ts'

/** Age of a reading (ms) up to which its own time counts; others count from their arrival. */
const readingMs = 5_000
/** Jump of the gateway's clock backwards (ms) after which an alarm is judged anew. */
const clockBackMs = 60_000
/** Time after the start (ms) for which an alarm waits for its first reading. */
const firstReadingMs = 30_000

/** Inputs that take readings of a tag. */
type TagInputs = Map<string, number[]>

/**
 * Judge of one alarm, with the rules of the platform, by the gateway's clock. After a restart a delay
 * goes on with the first reading, and silence is counted anew.
 */
export class AlarmJudge {
  readonly compiled: CompiledRule
  readonly alarm: AgentAlarm
  instance: Instance
  private readonly inputs: TagInputs = new Map()
  /** Time until which it was judged before the start; undefined when that is dealt with. */
  private awaySince: number | undefined
  private readonly startedAt: number

  constructor(alarm: AgentAlarm, now: number) {
    this.alarm = alarm
    this.compiled = compileAt(alarm)
    this.instance = newInstance(this.compiled)
    this.startedAt = now
    for (const [index, input] of this.compiled.inputs.entries()) {
      const tag = 'path' in input ? (input.path ?? '') : ''
      this.inputs.set(tag, [...(this.inputs.get(tag) ?? []), index])
    }
  }

  /** Goes on from the state of the last run; answers what another rule changes in it. */
  resume({ rule, instance }: SavedAlarm, savedAt: number): readonly Change[] {
    const before = compileAt({ ...this.alarm, rule })
    const isSame = before.meaning === this.compiled.meaning
    const t = isSame ? savedAt : this.startedAt
    const kept = carryOver({ before, after: this.compiled }, instance, t)
    this.instance = kept.instance
    this.awaySince = savedAt
    return kept.changes
  }

  /** Judges readings that arrived together, those of one time together. */
  take(readings: readonly Reading[], now: number): Change[] {
    const changes: Change[] = []
    let values: Given[] = []
    let t: number | undefined
    for (const reading of readings) {
      const given = this.givenOf(reading)
      if (given.length === 0) continue
      const isRecent = reading.t <= now && reading.t > now - readingMs
      const time = isRecent ? reading.t : now
      if (t !== undefined && time !== t) {
        changes.push(...this.judge(t, values, now))
        values = []
      }
      t = time
      values.push(...given)
    }
    if (t !== undefined) changes.push(...this.judge(t, values, now))
    return changes
  }

  /** Runs what is due by time alone. */
  passTime(now: number): Change[] {
    if (this.awaySince === undefined) return this.run(now, [])
    if (now < this.startedAt + firstReadingMs) return []
    return this.judge(now, [], now)
  }

  private givenOf(reading: Reading): Given[] {
    return (this.inputs.get(reading.tag) ?? []).flatMap((index): Given[] => {
      const { kind } = this.compiled.inputs[index] ?? {}
      if (kind === 'arrival') return reading.good ? [[index, true]] : []
      if (!reading.good) return [[index, this.instance.newest.v[index] ?? null, 2]]
      return [[index, reading.value, reading.uncertain ? 1 : 0]]
    })
  }

  private judge(time: number, values: Given[], now: number): Change[] {
    if (this.instance.at > now + clockBackMs) this.instance = this.judgedFrom(now)
    return this.run(Math.max(time, this.instance.at + 1), values)
  }

  /** State at a time before that of the present one, after the clock was set back. */
  private judgedFrom(now: number): Instance {
    const { newest, core } = this.instance
    const fresh = newInstance(this.compiled, now - 1)
    const open = core.open && { ...core.open, t: now - 1 }
    const moment = { at: now - 1, newest, core: { ...fresh.core, ...(open && { open }) } }
    if (open) moment.core.signals = core.signals.map((part, at) => (at % 2 === 1 ? now - 1 : part))
    return { ...moment, due: null, base: moment, ring: [] }
  }

  private run(t: number, values: Given[]): Change[] {
    const { awaySince } = this
    if (values.length > 0 || awaySince !== undefined) {
      const away = awaySince === undefined ? {} : { awaySince: Math.min(awaySince, t) }
      this.awaySince = undefined
      return this.took(step(this.compiled, this.instance, { t, values, ...away }))
    }
    return this.took(step(this.compiled, this.instance, { t, values }))
  }

  private took({ instance, changes }: ReturnType<typeof step>): Change[] {
    this.instance = instance
    return [...changes]
  }
}

/** Compiled rule in the gateway's time zone. */
const compileAt = ({ rule }: AgentAlarm) =>
  compileRule(rule, { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })
