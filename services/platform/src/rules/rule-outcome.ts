import type { Change } from '@longreach/rules/change'
import type { Occurrence } from '@longreach/rules/occurrences'
import type { CompiledRule } from '@longreach/rules/compiled'
import type { Input } from '@longreach/rules/input'
import { isNormal } from '@longreach/rules/state'
import type { DeviceRules, Judged } from '../devices/device.ts'
import type { RuleChanged } from './alarm-types.ts'
import { firingsOf } from './trigger-firing.ts'
import type { Firing } from './trigger-types.ts'

/** Late values of an instance: the oldest of them, which is judged from the store. */
type Again = Map<Judged, number>

/** Instance of a rule, as its changes name it. */
type About = { of: DeviceRules; rule: { id: string; version: number }; instance: string }

type Told = {
  heardAt: number
  again?: { since: number; open?: Occurrence }
  /** Values that were judged, where it was these. */
  cause?: Input
}

const isOfTrigger = (about: About | Judged): about is Judged =>
  'state' in about && about.rule.trigger !== undefined

/** Row of a state that goes, of a rule that no longer judges the device. */
type GoneState = { of: DeviceRules; ruleId: string; instance: string; version: number }

/** All that is to be written and published of what was judged; it is kept until both are done. */
export class Outcome {
  readonly changed = new Set<Judged>()
  readonly gone: GoneState[] = []
  readonly events: RuleChanged[] = []
  readonly firings: Firing[] = []
  /** Devices of which something is to be written. */
  readonly devices = new Set<DeviceRules>()
  readonly again: Again = new Map()

  get isEmpty() {
    return this.devices.size === 0
  }

  /** Notes a state that is to be stored. */
  note(judged: Judged) {
    this.changed.add(judged)
    this.devices.add(judged.of)
  }

  /** Notes a row that goes. */
  forget(gone: GoneState) {
    this.gone.push(gone)
    this.devices.add(gone.of)
  }

  /** Notes changes that are to be published. */
  publish(about: About | Judged, changes: readonly Change[], { heardAt, again, cause }: Told) {
    const { of, rule, instance } = about
    this.devices.add(of)
    if (isOfTrigger(about)) {
      this.fire(firingsOf(about, changes, { heardAt, isAgain: again !== undefined, cause }))
      return
    }
    this.events.push({
      deviceId: of.device.id,
      ruleId: rule.id,
      ruleVersion: rule.version,
      instance,
      changes: changes.map(storable),
      heardAt,
      ...(again && { again: { ...again, since: Math.max(again.since, earliest) } }),
    })
  }

  /** Notes firings of triggers that are to be published. */
  fire(firings: readonly Firing[]) {
    this.firings.push(...firings)
  }

  /** Notes that a trigger nearly fired. */
  tellAlmost({ of }: Judged, almost: Firing) {
    this.devices.add(of)
    this.firings.push(almost)
  }

  /** Notes that values of an instance from a time on are to be judged again from the store. */
  judgeAgain(judged: Judged, since: number) {
    this.again.set(judged, Math.min(since, this.again.get(judged) ?? Infinity))
  }

  /** Takes over what another one has. */
  add(other: Outcome) {
    for (const one of other.changed) this.changed.add(one)
    for (const one of other.devices) this.devices.add(one)
    this.gone.push(...other.gone)
    this.events.push(...other.events)
    this.firings.push(...other.firings)
    for (const [judged, since] of other.again) this.judgeAgain(judged, since)
  }

  /** Time of the oldest change of each of some devices. */
  oldestOf(ids: ReadonlySet<string>): Map<string, number> {
    const oldest = new Map<string, number>()
    for (const { deviceId, changes, again } of this.events) {
      if (!ids.has(deviceId)) continue
      const times = [...changes.map(({ t }) => t), ...(again ? [again.since] : [])]
      oldest.set(deviceId, Math.min(...times, oldest.get(deviceId) ?? Infinity))
    }
    for (const { deviceId, t, kind } of this.firings) {
      if (!ids.has(deviceId) || kind !== 'fired') continue
      oldest.set(deviceId, Math.min(t, oldest.get(deviceId) ?? Infinity))
    }
    return oldest
  }

  /** Forgets all about some devices. */
  drop(devices: ReadonlySet<DeviceRules>) {
    const ids = new Set([...devices].map(({ device }) => device.id))
    for (const one of devices) this.devices.delete(one)
    for (const one of this.changed) if (devices.has(one.of)) this.changed.delete(one)
    for (const one of this.again.keys()) if (devices.has(one.of)) this.again.delete(one)
    keep(this.gone, ({ of }) => !devices.has(of))
    keep(this.events, ({ deviceId }) => !ids.has(deviceId))
    keep(this.firings, ({ deviceId }) => !ids.has(deviceId))
  }
}

/** Time in place of one that no date can say. */
const earliest = 0

function keep<T>(list: T[], is: (one: T) => boolean) {
  const kept = list.filter(is)
  list.splice(0, list.length, ...kept)
}

/** Change with texts that the table of events can hold. */
function storable(change: Change): Change {
  if (!('words' in change)) return change
  const { value, limit, values } = change.words
  const words = {
    value: plainText(value),
    limit: plainText(limit),
    values: Object.fromEntries(
      Object.entries(values).map(([path, one]) => [path, plainText(one)] as const),
    ),
  }
  return { ...change, words }
}

/** Longest text of a value in an event. */
const longest = 2_000

const plainText = <T>(value: T) =>
  typeof value === 'string' ? value.slice(0, longest).replaceAll('\0', '\uFFFD') : value

/**
 * True for a state that is stored: something holds, is pending or is open, or a timer runs; or a trigger counts the
 * changes that it ignores.
 */
export const isStorable = ({ state, rule }: Pick<Judged, 'state' | 'rule'>) =>
  !isNormal(state) ||
  state.due !== null ||
  (rule.trigger !== undefined && hasSkips(rule.compiled) && state.core.refs !== undefined)

const hasSkips = ({ leaves }: CompiledRule) =>
  leaves.some((leaf) =>
    leaf.kind === 'changed' ? leaf.change.skips > 0 : 'gate' in leaf && leaf.gate !== undefined,
  )

/**
 * True when a state without changes of the alarm has to be written: something began or ended to hold, or
 * a timer runs that no row tells of. A row with an earlier due time than the present one is enough.
 */
export function isWorthWriting(judged: Judged, before: Judged['state']) {
  const { state } = judged
  if (before.core === state.core) return state.due !== null && !judged.isStored
  if (before.core.refs !== state.core.refs && isStorable(judged)) return true
  const isNow = isNormal(state)
  if (isNow !== isNormal(before)) return true
  return !isNow || (state.due !== null && !judged.isStored)
}
