import type { mappingsContract } from '@longreach/mappings/contract'
import { orderOf } from '@longreach/formula/cycles'
import { FormulaHistory } from '@longreach/formula/history'
import { parseFormula } from '@longreach/formula/parse'
import { isDatatype } from '@longreach/device-protocol/value'
import type { Client } from '@longreach/kit/client'
import type { Computed, Device, DeviceFormulas, Input, Target } from './device.ts'

type Facts = Awaited<ReturnType<Client<typeof mappingsContract>['deviceForPlatform']>>
export type FormulaFact = NonNullable<Facts['formulas']>[number]

/** Put the computed paths into the device's paths, and find out what each of them needs. */
export function placeFormulas(
  device: Device,
  facts: readonly FormulaFact[],
  old: ReadonlyMap<string, Target>,
): DeviceFormulas | undefined {
  const placed = facts.flatMap((fact) => {
    const parsed = parseFormula(fact.text)
    // Both were judged when the preset was saved; one of before is left out rather than guessed.
    if (!parsed.ok || !isDatatype(fact.type) || device.byPath.has(fact.path)) return []
    const leaf = { path: fact.path, type: fact.type, mode: 'R' as const, history: fact.history }
    const before = old.get(fact.path)
    const same = before?.leaf.type === leaf.type && before.leaf.history === leaf.history
    const target: Target = same && before ? Object.assign(before, { leaf }) : { device, leaf }
    device.byPath.set(fact.path, target)
    const { missing, windows } = fact
    return [{ target, formula: parsed.formula, missing, windows }]
  })
  if (placed.length === 0) return undefined
  const model = (placed[0]?.target.leaf.path ?? '').split('/')[0] ?? ''
  const computed = placed.map((one): Computed => ({
    ...one,
    inputs: one.formula.variables.map((path) => inputOf(device, `${model}/${path}`)),
    history: one.formula.reach.size > 0 ? new FormulaHistory(one.formula.reach) : undefined,
  }))
  const ordered = inOrder(computed)
  return {
    ordered,
    after: afterOf(ordered),
    newest: new Map(),
    loaded: false,
    ...windowedOf(ordered),
    caughtUp: false,
  }
}

function inputOf({ byPath }: Device, path: string): Input | undefined {
  const target = byPath.get(path)
  if (target) return { target }
  const slash = path.lastIndexOf('/')
  const struct = byPath.get(path.slice(0, slash))
  const field = path.slice(slash + 1)
  return struct?.leaf.type === 'struct' ? { target: struct, field } : undefined
}

/** Each after those it reads; what needs its own result is left out. */
function inOrder(computed: readonly Computed[]): Computed[] {
  const byPath = new Map(computed.map((one) => [one.target.leaf.path, one]))
  const needs = new Map(
    computed.map(({ target, inputs }) => [
      target.leaf.path,
      inputs.flatMap((input) => input?.target.leaf.path ?? []),
    ]),
  )
  return orderOf(needs).order.flatMap((path) => byPath.get(path) ?? [])
}

/** Paths that each formula depends on, also through other formulas; `through` chooses which others. */
function rootsOf(ordered: readonly Computed[], through: (one: Computed) => boolean) {
  const byTarget = new Map(ordered.map((one) => [one.target, one]))
  // Those before it in the order are complete: what one needs includes what its inputs need.
  const roots = new Map<Computed, Set<Target>>()
  for (const one of ordered) {
    const all = new Set<Target>()
    for (const input of one.inputs) {
      if (!input) continue
      all.add(input.target)
      const upstream = byTarget.get(input.target)
      const more = upstream && through(upstream) ? roots.get(upstream) : undefined
      for (const target of more ?? []) all.add(target)
    }
    roots.set(one, all)
  }
  return roots
}

/** For each path what it changes at once: what has windows is computed later, when a step is over. */
function afterOf(ordered: readonly Computed[]) {
  const after = new Map<Target, Computed[]>()
  for (const [one, roots] of rootsOf(ordered, ({ windows }) => !windows)) {
    if (one.windows) continue
    for (const target of roots) {
      const list = after.get(target)
      if (list) list.push(one)
      else after.set(target, [one])
    }
  }
  return after
}

function windowedOf(ordered: readonly Computed[]) {
  const windowed: Computed[] = []
  const windowRoots = new Map<Computed, ReadonlySet<Target>>()
  const targets = new Set<Target>()
  for (const [one, roots] of rootsOf(ordered, () => true)) {
    const follows = one.inputs.some((input) => input && targets.has(input.target))
    if (!one.windows && !follows) continue
    windowed.push(one)
    targets.add(one.target)
    if (one.windows) windowRoots.set(one, roots)
  }
  const windowInputs = new Set([...windowRoots.values()].flatMap((roots) => [...roots]))
  return { windowed, windowRoots, windowInputs }
}
