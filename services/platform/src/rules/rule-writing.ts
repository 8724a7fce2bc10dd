import { alarmsContract } from '@longreach/alarms/contract'
import type { Event } from '@longreach/kit/contract'
import { triggersContract } from '@longreach/triggers/contract'
import type { Kysely } from 'kysely'
import type { ServiceDb } from '../database.ts'
import type { DeviceRules, Judged } from '../devices/device.ts'
import { isStorable, type Outcome } from './rule-outcome.ts'
import { type DeviceWrite, type StateWrite, writeRound } from './rule-store.ts'

type Writing = {
  node: number
  at: Date
  progress: number | undefined
  /** Told of an event that no consumer could read, which is left out: it would hold all others for ever. */
  onInvalid: (about: { rule: string; device: string }) => void
}

/** Writes and publishes an outcome in one transaction; the numbers of its devices are then the next ones. */
export async function writeOutcome(
  db: Kysely<ServiceDb>,
  outcome: Outcome,
  { node, at, progress, onInvalid }: Writing,
) {
  const states = new Map<DeviceRules, StateWrite[]>()
  for (const of of outcome.devices) states.set(of, [])
  for (const { of, ruleId, instance, version } of outcome.gone) {
    states.get(of)?.push({ ruleId, instance, version, key: '', state: undefined })
  }
  const stored = [...outcome.changed].filter((one) => isStorable(one))
  const kept = new Set(stored)
  for (const judged of outcome.changed) states.get(judged.of)?.push(writeOf(judged, kept))
  await writeRound(db, {
    node,
    at,
    devices: [...states].map(([of, all]) => deviceWrite(of, all, at.getTime())),
    events: outcome.events.filter((event) =>
      isReadable(ruleChanged, event, (device) => onInvalid({ rule: event.ruleId, device })),
    ),
    firings: outcome.firings.filter((firing) =>
      isReadable(triggerFired, firing, (device) => onInvalid({ rule: firing.triggerId, device })),
    ),
    texts: textsOf(stored),
    progress,
  })
  for (const of of outcome.devices) of.seq = (of.seq ?? 0) + 1
  for (const judged of outcome.changed) judged.isStored = kept.has(judged)
}

const { ruleChanged } = alarmsContract.events
const { triggerFired } = triggersContract.events

function isReadable(
  { payload }: Event,
  event: { deviceId: string },
  onInvalid: (device: string) => void,
) {
  const { success } = payload.safeParse(event)
  if (!success) onInvalid(event.deviceId)
  return success
}

const writeOf = (judged: Judged, kept: ReadonlySet<Judged>): StateWrite => ({
  ruleId: judged.rule.id,
  instance: judged.instance,
  version: judged.rule.version,
  key: judged.rule.key,
  state: kept.has(judged) ? JSON.stringify(judged.state) : undefined,
})

function deviceWrite(of: DeviceRules, states: StateWrite[], now: number): DeviceWrite {
  const { clock, device, seq = 0 } = of
  const clockT = clock.at(now) ?? null
  const dueAt = dueOf(of)
  return {
    deviceId: device.id,
    seq,
    clockT,
    clockAt: clockT === null ? null : now,
    dueAt: dueAt === Infinity ? null : dueAt,
    againSince: of.againSince ?? null,
    states,
  }
}

/** Time of the server at which the next timer of a device is due, or one of its rules is in service again. */
function dueOf({ judged, clock, againAt = Infinity }: DeviceRules) {
  let due = againAt
  for (const { state, rule } of judged.values()) {
    if (state.due === null) continue
    due = Math.min(due, rule.isByArrival ? state.due : (clock.serverTimeOf(state.due) ?? Infinity))
  }
  return due
}

const textsOf = (stored: readonly Judged[]) => [
  ...new Map(
    stored.map(({ rule: { key, rule, zone } }) => [
      key,
      { key, rule: JSON.stringify(rule), zone: zone ?? null },
    ]),
  ).values(),
]
