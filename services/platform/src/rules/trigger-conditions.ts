import type { DeviceRule } from '../devices/device.ts'
import type { Attempt } from './rule-attempt.ts'

/** Conditions and moments that an answer lists for each device. */
const mostConditions = 20
const mostShort = 100

/** Part of a policy on a device, and what became of it in a trial. */
export type TracedPart = { part: DeviceRule; attempt: Attempt }

/** States of the conditions of a policy over the time of a trial, and when one of them alone was missing. */
export function conditionsOf(traced: readonly TracedPart[]) {
  const all = traced.flatMap(({ part, attempt: { instance, trace } }) =>
    (trace?.leaves ?? []).map((spans, leaf) => {
      const { inputs, forMs } = part.compiled.leaves[leaf] ?? { inputs: [], forMs: 0 }
      const [input = -1] = inputs
      const path = trace?.pathOf(input) ?? part.compiled.inputs[input]?.kind ?? ''
      return { place: placeOf(part, [leaf]), path, instance, timeMs: forMs, spans }
    }),
  )
  const oneShort = traced.flatMap(({ part, attempt: { instance, trace } }) =>
    (trace?.oneShort ?? []).map(({ from, to, leaves }) => ({
      instance,
      from,
      to,
      place: placeOf(part, leaves),
    })),
  )
  return {
    conditions: all.slice(0, mostConditions),
    furtherConditions: Math.max(0, all.length - mostConditions),
    oneShort: oneShort.toSorted((one, other) => one.from - other.from).slice(0, mostShort),
  }
}

/** Place in the policy of a leaf, or of the group that holds some leaves. */
function placeOf({ trigger }: DeviceRule, leaves: readonly number[]) {
  const [first = [], ...others] = leaves.map((leaf) =>
    (trigger?.leaves[leaf]?.place ?? 'policy').split('.'),
  )
  const differs = first.findIndex((step, at) => others.some((place) => place[at] !== step))
  const common = differs === -1 ? first : first.slice(0, differs)
  return (common.at(-1) === 'innerPolicies' ? common.slice(0, -1) : common).join('.')
}
