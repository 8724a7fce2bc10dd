import { valueOf } from '@longreach/formula/convert'
import type { FormulaValue } from '@longreach/formula/tree'
import type { Given, Input } from './input.ts'

/** Reach of late values that an instance judges from its own state: values, and their age. */
export const ringLimits = { values: 16, ms: 5_000 } as const
/** Values beyond the reach that are kept until so many leave at once: each time costs a step of the logic. */
const atOnce = 8

/**
 * Latest inputs as a flat list, four entries for each value: time, input, value, quality. The input
 * -1 is a time in which nobody listened, its value the beginning.
 */
export type Ring = FormulaValue[]

const width = 4
const away = -1

const timeAt = (ring: Ring, place: number) => Number(ring[place] ?? 0)

/** Ring of an instance: the values of a list up to an end; others may have gone on behind it. */
type Kept = { ring: Ring; ringEnd?: number }

/** Values of a ring alone: its own list where nobody has gone on, or a copy. */
export const valuesOf = ({ ring, ringEnd }: Kept): Ring =>
  ringEnd === ring.length ? ring : ring.slice(0, ringEnd)

/**
 * Ring with an input behind the others. The list is the same and goes on in place, unless another instance has gone
 * on from this one before: nearly every value is one of these, and a copy costs more than its judgement.
 */
export function withInput(kept: Kept, input: Input): Required<Kept> {
  const first = kept.ring.length === 0 ? firstOf(input) : undefined
  if (first) return { ring: first, ringEnd: width }
  const ring = valuesOf(kept)
  addTo(ring, input)
  return { ring, ringEnd: ring.length }
}

/** Ring of one value, which most instances have for long: a list that grows takes room for several. */
function firstOf({ t, values: [given, ...others], awaySince }: Input): Ring | undefined {
  if (!given || others.length > 0 || awaySince !== undefined) return undefined
  const [input, v, q = 0] = given
  return [t, input, valueOf(v), q]
}

function addTo(ring: Ring, { t, values, awaySince }: Input) {
  if (awaySince !== undefined) ring.push(t, away, awaySince, 0)
  for (const [input, v, q = 0] of values) ring.push(t, input, valueOf(v), q)
}

/** Number of entries in front that leave now, beyond the reach; values of one time stay together. */
export function entriesBeyond(ring: Ring): number {
  const oldest = timeAt(ring, ring.length - width) - ringLimits.ms
  const first = ring.length - ringLimits.values * width
  let gone = 0
  let place = 0
  while (place < ring.length && (place < first || timeAt(ring, place) <= oldest)) {
    const t = timeAt(ring, place)
    while (place < ring.length && timeAt(ring, place) === t) place += width
    // The newest time stays, so that values of the same time find it.
    if (place < ring.length) gone = place
  }
  return gone < atOnce * width ? 0 : gone
}

/** Inputs of the entries before `end`, each with all values of its time. */
export function inputsBefore(ring: Ring, end: number): Input[] {
  const inputs: Input[] = []
  let values: Given[] = []
  for (let place = 0; place < end; place += width) {
    const t = timeAt(ring, place)
    const last = inputs.at(-1)
    if (last?.t !== t) inputs.push({ t, values: (values = []) })
    const input = Number(ring[place + 1])
    const v = ring[place + 2] ?? null
    if (input !== away) values.push([input, v, Number(ring[place + 3])])
    else inputs[inputs.length - 1] = { t, values, awaySince: Number(v) }
  }
  return inputs
}

/** Ring with a late input at its time; of two values of one path at one time the later counts. */
export function withLateInput(ring: Ring, input: Input): Ring {
  const inputs = inputsBefore(ring, ring.length)
  const place = inputs.findLastIndex(({ t }) => t <= input.t)
  const same = inputs[place]
  if (same?.t === input.t) {
    const values = new Map<number, Given>()
    for (const given of [...same.values, ...input.values]) values.set(given[0], given)
    inputs[place] = { ...same, ...input, values: [...values.values()] }
  } else inputs.splice(place + 1, 0, input)
  const merged: Ring = []
  for (const one of inputs) addTo(merged, one)
  return merged
}
