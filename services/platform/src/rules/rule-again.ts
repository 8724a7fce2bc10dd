import type { Change } from '@longreach/rules/change'
import { type Occurrence, openOccurrence } from '@longreach/rules/occurrences'
import { type Page, startReplay } from '@longreach/rules/replay'
import { ringLimits } from '@longreach/rules/ring'
import { beforeAll, type Instance } from '@longreach/rules/state'
import { step } from '@longreach/rules/step'
import { nextDue } from '@longreach/rules/timers'
import { never } from '@longreach/rules/work'
import type { TelemetryStore } from '@longreach/telemetry/store'
import type { Judged } from '../devices/device.ts'
import { findBeginning } from './rule-beginning.ts'
import { inputsOf } from './rule-steps.ts'
import {
  mergedInputs,
  type StoredInput,
  storedInputs,
  type StoredValue,
  inputsBeforeTime,
} from './stored-inputs.ts'

/** Result of judging from the store: all changes after `since`, and the alarm that was open then. */
type JudgedAgain = {
  instance: Instance
  since: number
  open: Occurrence | undefined
  changes: Change[]
}

type Asked = {
  since: number
  /** Time until which values are judged, if it is later than that of the instance. */
  to?: number
  /** Instances whose alarms are being judged for this one. */
  within?: readonly Judged[]
  /** Values that are read for an instance at most. */
  most: number
}

/** More values than are read: the late ones are not judged. */
export class TooManyValues extends Error {
  override name = 'TooManyValues'
}

/**
 * Judges an instance again from what is stored, from before `since` until the time that it has judged. Values
 * without history are taken as they are now.
 */
export async function judgeAgain(
  telemetry: TelemetryStore,
  judged: Judged,
  { since, to = -Infinity, within = [], most }: Asked,
): Promise<JudgedAgain> {
  const { rule, state, sources, of } = judged
  const { compiled } = rule
  const inputs = await storedInputs(telemetry, of.device, sources)
  const kept = keptValues(judged, inputs)
  const { from, instance } = await findBeginning(compiled, {
    since,
    present: state,
    before: async (t) => [
      ...kept.map((one) => ({ ...one, t: t - 1 })),
      ...(await inputsBeforeTime(telemetry, inputs, t)),
    ],
  })
  const until = Math.max(state.at, to, from)
  const beside = await alarmValues(telemetry, judged, {
    since: from,
    to: until,
    within,
    most,
  })
  const ringFrom = Math.max(from, until - ringLimits.ms)
  const read = (since: number, to: number) =>
    mergedInputs(telemetry, inputs, {
      since,
      to,
      beside: beside.filter(({ t }) => t >= since && t < to),
    })
  const run = startReplay(compiled, { from: instance })
  let count = 0
  for await (const page of read(from, ringFrom)) {
    count += page.t.length
    if (count > most) throw new TooManyValues('too many values to judge again')
    run.take(page)
  }
  const { changes, moment } = run.finish(ringFrom - 1)
  const due = nextDue({ rule: compiled, ...moment })
  let after: Instance = { ...moment, due: due === never ? null : due, base: moment, ring: [] }
  const take = (input: Parameters<typeof step>[2]) => {
    const stepped = step(compiled, after, input)
    after = stepped.instance
    changes.push(...stepped.changes)
  }
  // The rest one by one, so that the next late values find them in the ring.
  for await (const page of read(ringFrom, until + 1))
    for (const one of inputsOfPage(page)) take(one)
  if (state.at !== beforeAll) take({ t: state.at, values: [] })
  return {
    instance: { ...after, at: Math.max(after.at, state.at) },
    since: from - 1,
    open: openOccurrence(compiled, instance.core),
    changes,
  }
}

/** Present values of inputs whose past is not stored; alarms of other rules have one that is judged. */
function keptValues({ rule, state }: Judged, inputs: readonly StoredInput[]) {
  const stored = new Set(inputs.map(({ input }) => input))
  return rule.compiled.inputs.flatMap(({ kind }, input) => {
    const v = state.newest.v[input] ?? null
    return stored.has(input) || v === null || kind === 'alarm'
      ? []
      : [{ input, v, q: state.newest.bad[input] === 1 ? 2 : 0 }]
  })
}

/** Values of the inputs that are alarms of other rules of the device, over a range. */
async function alarmValues(
  telemetry: TelemetryStore,
  judged: Judged,
  { since, to, within, most }: Required<Asked>,
): Promise<StoredValue[]> {
  const values: StoredValue[] = []
  for (const [input, { kind, ...named }] of judged.rule.compiled.inputs.entries()) {
    if (kind !== 'alarm' || !('rule' in named)) continue
    const others = [...judged.of.judged.values()].filter(
      (one) => one.rule.id === named.rule && one !== judged && !within.includes(one),
    )
    for (const other of others) {
      const asked = { since, to, within: [...within, judged], most }
      for (const [t, v] of await activeTimes(telemetry, other, asked)) {
        values.push({ t: Math.max(t, since), input, v, q: 0 })
      }
    }
  }
  return values.toSorted((one, other) => one.t - other.t)
}

/** Times at which the alarm of an instance becomes active or ends to be so. */
async function activeTimes(
  telemetry: TelemetryStore,
  judged: Judged,
  asked: Required<Asked>,
): Promise<(readonly [number, boolean])[]> {
  const { open: present } = judged.state.core
  // By arrival: the past of it is not stored.
  if (judged.rule.isByArrival) return present ? [[present.t, true]] : []
  const { open, changes } = await judgeAgain(telemetry, judged, asked)
  const begun = [asked.since, open !== undefined] as const
  const later = changes.flatMap(({ kind, t }) =>
    kind === 'raise' || kind === 'return' ? [[t, kind === 'raise'] as const] : [],
  )
  return [begun, ...later]
}

const inputsOfPage = ({ t, input, v, q }: Page) =>
  inputsOf(
    Array.from(t),
    Array.from(t, (_, row) => [input[row] ?? 0, v[row], q?.[row] ?? 0] as const),
  )
