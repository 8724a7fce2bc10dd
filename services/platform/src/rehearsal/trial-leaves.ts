import type { Condition, SendPolicy } from '@longreach/device-protocol/configuration'
import type { Configuration, Leaf } from '@longreach/device-protocol/read-configuration'
import { orderOf } from '@longreach/formula/cycles'
import { parseFormula } from '@longreach/formula/parse'
import { atPlace, relativePath } from '@longreach/formula/paths'
import type { TrialFormula, TrialLeaf } from '@longreach/mappings/preset-trial-contract'
import type { RehearsedLeaf } from '@longreach/mappings/rehearsed-contract'

/** A value of the new preset, and how it is played; without `leaf` there is nothing to play. */
export type Rehearsing = Pick<TrialLeaf, 'path' | 'source' | 'from' | 'history'> &
  Pick<TrialLeaf, 'sampled' | 'missing'> & { leaf?: RehearsedLeaf }

/** Values by tag that came with the question. */
export type Samples = Readonly<Record<string, [number, unknown][]>>

type Device = {
  /** Configurations of the device, the present one first, then former ones from new to old. */
  had: readonly Configuration[]
  mayRead: (path: string) => boolean
  samples: Samples
}
/** Path or sample that holds the values of each tag; null: the caller may not read them. */
type Stored = ReadonlyMap<string, { at: string; sampled: boolean } | null>

const sampleOf = (tag: string) => `sample ${tag}`

/** The samples by the names that stand for them. */
export const samplesByName = (samples: Samples) =>
  Object.fromEntries(Object.entries(samples).map(([tag, points]) => [sampleOf(tag), points]))

/** Leaves of the new configuration, each with the path or sample that its values are read from. */
export function rehearsedLeaves(fresh: Configuration, device: Device): Rehearsing[] {
  const stored = storedBy(device)
  return fresh.leaves.map((leaf) => rehearsing(leaf, stored, sameStruct(leaf, device)))
}

function storedBy({ had, mayRead, samples }: Device): Stored {
  const stored = new Map<string, { at: string; sampled: boolean } | null>()
  for (const { source, path } of had.flatMap(({ leaves }) => leaves)) {
    if (source === undefined || stored.get(source)) continue
    stored.set(source, mayRead(path) ? { at: path, sampled: false } : null)
  }
  for (const [tag, points] of Object.entries(samples)) {
    if (points.length > 0 && !stored.has(tag)) {
      stored.set(tag, { at: sampleOf(tag), sampled: true })
    }
  }
  return stored
}

/** A struct whose fields have tags of their own is played from where it is stored. */
function sameStruct({ fieldSources, path }: Leaf, { had, mayRead }: Device) {
  if (!fieldSources || !mayRead(path)) return undefined
  const tags = JSON.stringify(fieldSources)
  const same = had
    .flatMap(({ leaves }) => leaves)
    .find((one) => JSON.stringify(one.fieldSources) === tags)
  return same && { at: same.path, sampled: false }
}

function rehearsing(leaf: Leaf, stored: Stored, struct: ReturnType<typeof sameStruct>): Rehearsing {
  const { path, type, fields, sendPolicy, source = null, history } = leaf
  const place = source === null ? struct : stored.get(source)
  const from = place && !place.sampled ? place.at : null
  const facts = { path, source, from, history, sampled: place?.sampled ?? false }
  if (!place) return { ...facts, missing: place === null ? 'not_allowed' : 'not_asked' }
  const watched = Object.fromEntries(
    [...watchedBy(sendPolicy)].flatMap((tag) => {
      const at = stored.get(tag)?.at
      return at === undefined ? [] : [[tag, at] as const]
    }),
  )
  const { triggers, conditions } = sendPolicy ?? {}
  return {
    ...facts,
    missing: null,
    leaf: {
      path,
      type,
      from: place.at,
      ...(fields && { fields }),
      ...(sendPolicy && { sendPolicy: { triggers, conditions } }),
      watched,
    },
  }
}

/** Tags besides its own that a policy looks at. */
function watchedBy(policy: SendPolicy | undefined): Set<string> {
  const tags = new Set<string>()
  for (const trigger of policy?.triggers ?? []) {
    if (trigger.type !== 'timer' && trigger.tagName) tags.add(trigger.tagName)
  }
  addConditionTags(policy?.conditions, tags)
  return tags
}

function addConditionTags(condition: Condition | null | undefined, tags: Set<string>): void {
  if (!condition) return
  if ('operands' in condition) for (const one of condition.operands) addConditionTags(one, tags)
  else if (condition.tagName) tags.add(condition.tagName)
}

/** The computed values of a preset, with the formulas and tags that each needs; in arrays of the first item. */
export function rehearsedFormulas(
  formulas: readonly TrialFormula[],
  tags: readonly Rehearsing[],
  model: string,
): Rehearsing[] {
  const texts = new Map(
    formulas.map((one) => [first(one.path), { ...one, text: atPlace(one.text, zeros) }]),
  )
  const stored = new Map(tags.map(({ path, leaf }) => [relativePath(path), leaf?.from]))
  const { order } = orderOf(new Map([...texts].map(([path, { text }]) => [path, needs(text)])))
  return order.flatMap((path) => {
    const found = texts.get(path)
    return found ? [computed(path, found, { texts, order, stored, model })] : []
  })
}

const zeros = Array.from({ length: 10 }, () => 0)
const first = (path: string) => path.replaceAll('[*]', '[0]')

function needs(text: string): readonly string[] {
  const parsed = parseFormula(text)
  return parsed.ok ? parsed.formula.variables : []
}

type Known = {
  texts: ReadonlyMap<string, TrialFormula>
  order: readonly string[]
  stored: ReadonlyMap<string, string | undefined>
  model: string
}

function computed(
  path: string,
  { type, history }: TrialFormula,
  { texts, order, stored, model }: Known,
): Rehearsing {
  const wanted = new Set([path])
  const from: Record<string, string> = {}
  for (const one of order.toReversed()) {
    if (!wanted.has(one)) continue
    for (const need of needs(texts.get(one)?.text ?? '')) {
      wanted.add(need)
      const at = stored.get(need)
      if (at) from[need] = at
    }
  }
  const chain = order.flatMap((one) => {
    const found = wanted.has(one) ? texts.get(one) : undefined
    if (!found) return []
    const { text, windows } = found
    return [{ path: one, text, ...(windows && { windows }) }]
  })
  const whole = `${model}/${path}`
  const sampled = Object.values(from).some((at) => at.startsWith(sampleOf('')))
  const facts = { path: whole, source: null, from: null, history, sampled }
  if (Object.keys(from).length === 0) return { ...facts, missing: 'no_inputs' }
  // The chain ends with the value itself: it needs all the others.
  return { ...facts, missing: null, leaf: { path: whole, type, formula: { texts: chain, from } } }
}
