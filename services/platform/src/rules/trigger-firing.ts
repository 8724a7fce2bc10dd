import type { Change } from '@longreach/rules/change'
import { treeTruth } from '@longreach/rules/condition-tree'
import type { Input } from '@longreach/rules/input'
import { beforeAll, type Instance, leafTruth } from '@longreach/rules/state'
import type { Judged } from '../devices/device.ts'
import type { Firing } from './trigger-types.ts'

/** Inputs and conditions that an event lists. */
const mostListed = 50
/** Longest text of a value in an event. */
const longestText = 2_000
/** Time in ms in which an instance tells once that it nearly fired. */
const almostEveryMs = 60_000

type About = { heardAt: number; isAgain?: boolean; cause?: Input | undefined }

/**
 * Firings of a part of a trigger, of the changes that judging it made. Late values of a time before it was saved
 * fire nothing.
 */
export function firingsOf(
  judged: Judged,
  changes: readonly Change[],
  { heardAt, isAgain = false, cause }: About,
): Firing[] {
  const told = isAgain ? changesSince(judged, changes) : changes
  return told.flatMap((change, index) => {
    if (change.kind !== 'raise') return []
    const end = told.slice(index).find(({ kind }) => kind === 'return')
    const about = { kind: 'fired' as const, t: change.t, until: end?.t ?? null }
    // What a timer did was not caused by the values that came after it.
    const own = cause?.t === change.t ? cause : undefined
    return [{ ...firingAt(judged, judged.state, own), ...about, heardAt, isAgain }]
  })
}

/** Changes after which a trigger that has just been loaded fires: what held when it was saved is none. */
export const changesSince = ({ rule: { trigger } }: Judged, changes: readonly Change[]) =>
  trigger ? changes.filter(({ t }) => t > trigger.since) : changes

/** Tells that a trigger nearly fired: a delay was broken off, or one condition of several was missing. */
export function almostOf(
  judged: Judged,
  before: Instance,
  input: Input,
  now: number,
): Firing | undefined {
  if (before.core === judged.state.core || judged.state.core.open) return undefined
  if (now < (judged.almostAt ?? -Infinity) + almostEveryMs) return undefined
  const kind = brokenDelay(judged, before, input.t)
    ? ('delay_broken' as const)
    : isOneShort(judged, before, input.t)
      ? ('one_short' as const)
      : undefined
  if (!kind) return undefined
  judged.almostAt = now
  const t = input.t
  const shown = kind === 'delay_broken' ? before : judged.state
  return { ...firingAt(judged, shown, input), kind, t, until: null, heardAt: now, isAgain: false }
}

/** True when a condition ended before it held for its time. */
const brokenDelay = ({ rule: { compiled }, state }: Judged, before: Instance, t: number) =>
  before.core.open === undefined &&
  compiled.leaves.some(
    ({ forMs }, leaf) =>
      forMs > 0 &&
      before.core.leaves[leaf * 2] === leafTruth.yes &&
      state.core.leaves[leaf * 2] === leafTruth.no &&
      t - sinceOf(before, leaf) < forMs,
  )

/** True when all parts of an AND but one hold, as they did not before. */
function isOneShort(judged: Judged, before: Instance, t: number) {
  const missing = missingParts(judged, judged.state, t)
  return missing === 1 && missingParts(judged, before, t) !== 1
}

function missingParts({ rule: { compiled } }: Judged, { core }: Instance, t: number) {
  const tree = compiled.signals[0]?.tree
  if (typeof tree !== 'object' || tree.op !== 'all' || tree.parts.length < 2) return 0
  const truthOf = (leaf: number) => truthAt(compiled.leaves[leaf]?.forMs ?? 0, core, leaf, t)
  return tree.parts.filter((part) => treeTruth(part, truthOf) !== true).length
}

function truthAt(forMs: number, core: Instance['core'], leaf: number, t: number) {
  const truth = core.leaves[leaf * 2] ?? leafTruth.unknown
  if (truth >= leafTruth.unknown) return null
  return truth === leafTruth.yes && (core.leaves[leaf * 2 + 1] ?? 0) + forMs <= t
}

const sinceOf = ({ core }: Instance, leaf: number) => core.leaves[leaf * 2 + 1] ?? 0

type Shown = Omit<Firing, 'kind' | 't' | 'until' | 'heardAt' | 'isAgain'>

function firingAt(judged: Judged, state: Instance, cause: Input | undefined): Shown {
  const { of, rule, instance } = judged
  const { device } = of
  const { compiled } = rule
  const causes = new Set(cause?.values.map(([input]) => input))
  const conditions = compiled.leaves.map((leaf, index) => {
    const truth = state.core.leaves[index * 2] ?? leafTruth.unknown
    const since = sinceOf(state, index)
    const isImpulse = leaf.kind === 'changed'
    const place = rule.trigger?.leaves[index]
    return {
      path: pathOfInput(judged, leaf.inputs[0]),
      type: place?.type ?? '',
      place: place?.place ?? '',
      truth: isImpulse
        ? causes.has(leaf.inputs[0] ?? -1)
        : truth >= leafTruth.unknown
          ? null
          : truth === leafTruth.yes,
      since: since === beforeAll ? null : since,
      timeMs: leaf.forMs,
    }
  })
  const held = conditions.flatMap(({ truth, since }) => (truth && since !== null ? [since] : []))
  return {
    triggerId: rule.id,
    version: rule.version,
    deviceId: device.id,
    deviceLabel: device.label,
    orgResourceId: device.org,
    groups: device.groups,
    instance,
    since: cause && causes.size > 0 ? cause.t : Math.min(...held, state.at),
    inputs: compiled.inputs.slice(0, mostListed).map((_, input) => ({
      path: pathOfInput(judged, input),
      value: shortValue(state.newest.v[input] ?? null),
      isCause: causes.has(input),
    })),
    conditions: conditions.slice(0, mostListed),
  }
}

/** Path of the device that an input is, with its model. */
function pathOfInput({ rule, sources }: Judged, input = -1) {
  const source = sources[input]
  if (!source) return rule.compiled.inputs[input]?.kind ?? ''
  const { target, field } = source
  return field === undefined ? target.leaf.path : `${target.leaf.path}/${field}`
}

const shortValue = <T>(value: T) =>
  typeof value === 'string' ? value.slice(0, longestText).replaceAll('\0', '\uFFFD') : value
