import { judgedKey } from './judged-key.ts'
import { carryOver } from '@longreach/rules/carry-over'
import { isAhead } from '@longreach/rules/device-clock'
import type { Given } from '@longreach/rules/input'
import { Rule } from '@longreach/rules/rule'
import { beforeAll, type Instance } from '@longreach/rules/state'
import type { Point } from '@longreach/telemetry/store'
import type { DeviceRules, Judged, Target } from '../devices/device.ts'
import { inputValue } from './device-inputs.ts'
import { isPolicyPart, type PolicyCompiler } from './device-policy.ts'
import type { RuleCompiler } from './device-rule.ts'
import { newestWithoutWaiting } from './newest-values.ts'
import type { LoadedRules } from './rule-loading.ts'
import { Outcome } from './rule-outcome.ts'
import { placeRules } from './rule-placing.ts'
import type { NewestReading, RuleReading } from './rule-reading.ts'
import type { StoredState } from './rule-store.ts'
import { inputsOf, judgeInput } from './rule-steps.ts'

export type Renewing = {
  reading: RuleReading
  newest: () => Promise<NewestReading>
  now: () => Date
  compiler: RuleCompiler
  policies: PolicyCompiler
  read: (of: DeviceRules) => Promise<LoadedRules>
}

type Connection = Awaited<ReturnType<RuleReading['connection']>>
type Known = {
  /** Time of the server. */
  now: number
  newest: ReadonlyMap<Target, Point>
  connection: Connection
  heardUntil: number | undefined
  /** Time from arrival back to the time of a value. */
  lag: number
}

/**
 * Brings the rules of a device up to date: loads them with their states at first, and carries states over when
 * rules have changed. Its values wait meanwhile. Nothing is changed when it fails.
 */
export async function renewRules(deps: Renewing, of: DeviceRules): Promise<Outcome> {
  const outcome = new Outcome()
  const { loaded, taken, rows, connection, isNeeded } = await readKnown(deps, of)
  if (of.isDropped) return outcome
  const before = of.judged
  const added = placeRules(of, loaded.rules)
  const newest = isNeeded
    ? await newestWithoutWaiting(await deps.newest(), of)
    : new Map<Target, Point>()
  of.loaded = loaded.text
  of.againAt = loaded.againAt
  if (taken) of.seq = taken.seq
  of.againSince = taken?.againSince ?? of.againSince
  const now = deps.now().getTime()
  const { clockT = null, clockAt = null, heardUntil } = taken ?? {}
  const lag = clockT === null || clockAt === null ? 0 : clockAt - clockT
  setClock(of, newest, { now, lag, clockT, clockAt })
  restoreStates(deps, { of, rows, before, added }, { outcome, now })
  catchUp(of, added, { now, newest, connection, heardUntil, lag }, outcome)
  // Written, so that another process judges the device then, should this one have ended.
  if (of.againAt !== undefined) outcome.devices.add(of)
  return outcome
}

/** Rules of a device, and where it has any what is stored of it; at first this process takes it. */
async function readKnown({ reading, read }: Renewing, of: DeviceRules) {
  const { id } = of.device
  const loaded = await read(of)
  const isFirst = of.seq === undefined
  const isJudged = loaded.rules.length > 0 || loaded.againAt !== undefined
  const isNeeded = !isFirst || isJudged || (await reading.states(id)).length > 0
  if (!isNeeded) return { loaded, isNeeded, rows: [], taken: undefined, connection: undefined }
  const taken = isFirst ? await reading.take(id) : undefined
  const rows = taken ? await reading.states(id) : []
  return { loaded, isNeeded, taken, rows, connection: await reading.connection(id) }
}

type Clock = { now: number; lag: number; clockT: number | null; clockAt: number | null }

/** Sets the clock of a device by the row of its last round, and by values that are newer. */
function setClock(
  { clock }: DeviceRules,
  newest: ReadonlyMap<Target, Point>,
  { now, lag, clockT, clockAt }: Clock,
) {
  if (clock.at(now) !== undefined) return
  if (clockT !== null && clockAt !== null) clock.take(clockT, clockAt)
  const times = [...newest.values()].map(({ t }) => t).toSorted((one, other) => one - other)
  for (const t of times) {
    if (!isAhead(t, now) && t > (clockT ?? -Infinity)) clock.take(t, Math.min(now, t + lag))
  }
}

type Restoring = {
  of: DeviceRules
  rows: readonly StoredState[]
  before: ReadonlyMap<string, Judged>
  added: readonly Judged[]
}
type Told = { outcome: Outcome; now: number }

/** Gives instances the states that they had; alarms of rules that no longer judge the device end. */
function restoreStates(deps: Renewing, { of, rows, before, added }: Restoring, told: Told) {
  const time = of.clock.at(told.now) ?? told.now
  for (const row of rows) {
    const state = JSON.parse(row.state) as Instance // as this part wrote it
    const judged = of.judged.get(judgedKey(row.ruleId, row.instance))
    if (!judged) {
      const isTrigger = isPolicyPart(storedRule(row))
      const rule = { id: row.ruleId, version: row.version, isTrigger }
      end({ of, rule, instance: row.instance, state, time }, told)
      continue
    }
    judged.isStored = true
    if (row.key === judged.rule.key) judged.state = state
    else {
      carry(judged, { before: compiledOf(deps, row), state, time }, told)
    }
  }
  for (const judged of added) {
    const old = before.get(judgedKey(judged.rule.id, judged.instance))
    if (!old) continue
    judged.isStored = old.isStored
    carry(judged, { before: old.rule.compiled, state: old.state, time }, told)
  }
  for (const [key, old] of before) {
    const { id, version, trigger } = old.rule
    const rule = { id, version, isTrigger: trigger !== undefined }
    if (!of.judged.has(key)) end({ of, rule, instance: old.instance, state: old.state, time }, told)
  }
}

/** Rule or part of a policy that a state was judged by, as it was stored. */
const storedRule = ({ rule }: StoredState) => JSON.parse(rule) as object // as this part wrote it

function compiledOf({ compiler, policies }: Renewing, row: StoredState) {
  const stored = storedRule(row)
  if (isPolicyPart(stored)) return policies.compiled(row.key, stored)
  return compiler.compiled(row.key, Rule.parse(stored), row.zone ?? undefined).compiled
}

type Carried = { before: Judged['rule']['compiled']; state: Instance; time: number }

function carry(judged: Judged, { before, state, time }: Carried, { outcome, now }: Told) {
  const after = judged.rule.compiled
  const carried = carryOver({ before, after }, state, time)
  judged.state = carried.instance
  outcome.note(judged)
  if (carried.changes.length > 0) outcome.publish(judged, carried.changes, { heardAt: now })
}

type Ending = {
  of: DeviceRules
  rule: { id: string; version: number; isTrigger: boolean }
  instance: string
  state: Instance
  time: number
}

function end({ of, rule, instance, state, time }: Ending, { outcome, now }: Told) {
  outcome.forget({ of, ruleId: rule.id, instance, version: rule.version })
  if (!state.core.open || rule.isTrigger) return
  const t = Math.max(time, state.at + 1)
  const change = { kind: 'return', t, reason: 'rule_changed' } as const
  outcome.publish({ of, rule, instance }, [change], { heardAt: now })
}

/** Judges what came since a state was stored, or what is newest for one that has none. */
function catchUp(of: DeviceRules, added: readonly Judged[], known: Known, outcome: Outcome) {
  const gathered = gather(of, new Set(added), known)
  const { now, heardUntil } = known
  for (const judged of added) {
    const inputs = gathered.get(judged) ?? { times: [], values: [] }
    for (const input of inputsOf(inputs.times, inputs.values)) {
      if (input.t > judged.state.at) judgeInput(judged, input, { outcome, now, isLoading: true })
    }
    if (judged.rule.isByArrival && heardUntil !== undefined && judged.state.at < now) {
      const awaySince = Math.max(heardUntil, judged.state.at)
      judgeInput(judged, { t: now, values: [], awaySince }, { outcome, now, isLoading: true })
    }
    judged.state = withoutRing(judged.state)
  }
}

/** State of which the ring is not known, so that late values are judged from the store. */
function withoutRing(state: Instance): Instance {
  const { at, newest, core } = state
  return at === beforeAll ? state : { ...state, base: { at, newest, core }, ring: [] }
}

type Gathered = { times: number[]; values: Given[] }

/** Values of added instances, from the store and of the connection. */
class Gathering {
  readonly all = new Map<Judged, Gathered>()
  private readonly added: ReadonlySet<Judged>
  constructor(added: ReadonlySet<Judged>) {
    this.added = added
  }

  add(judged: Judged, t: number, given: Given) {
    if (!this.added.has(judged)) return
    const one = this.all.get(judged) ?? { times: [], values: [] }
    one.times.push(t)
    one.values.push(given)
    this.all.set(judged, one)
  }
}

function gather(of: DeviceRules, added: ReadonlySet<Judged>, known: Known) {
  const { now, newest, lag } = known
  const gathering = new Gathering(added)
  for (const [target, { t, v, q }] of newest) {
    if (isAhead(t, now)) continue
    const arrived = Math.min(now, t + lag)
    for (const { judged, input, field } of [...(target.ruleUses ?? []), ...of.anyArrival]) {
      const time = judged.rule.isByArrival ? arrived : t
      gathering.add(judged, time, [input, inputValue(v, field), q])
    }
  }
  gatherConnection(of, known, gathering)
  return gathering.all
}

function gatherConnection(of: DeviceRules, { connection }: Known, gathering: Gathering) {
  if (!connection) return
  const { connected, connected_at: came, disconnected_at: went } = connection
  if (!connected) of.lostAt = went?.getTime()
  // A loss is taken by the engine, which knows whether the platform itself was away.
  const since = connected ? came : null
  for (const { judged, input } of since ? of.connection : []) {
    if (judged.state.newest.v[input] === connected) continue
    gathering.add(judged, since?.getTime() ?? 0, [input, connected])
  }
}
