import type { mappingsContract } from '@longreach/mappings/contract'
import { orderOf } from '@longreach/formula/cycles'
import { FormulaHistory } from '@longreach/formula/history'
import { parseFormula } from '@longreach/formula/parse'
import { isDatatype } from '@longreach/device-protocol/value'
import type { Client } from '@longreach/kit/client'
import type { Computed, Device, DeviceFormulas, Input, Target } from '../devices/device.ts'

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
    return [{ target, formula: parsed.formula, missing: fact.missing }]
  })
  if (placed.length === 0) return undefined
  const model = (placed[0]?.target.leaf.path ?? '').split('/')[0] ?? ''
  const computed = placed.map((one): Computed => ({
    ...one,
    inputs: one.formula.variables.map((path) => inputOf(device, `${model}/${path}`)),
    history: one.formula.reach.size > 0 ? new FormulaHistory(one.formula.reach) : undefined,
  }))
  return { after: afterOf(computed), newest: new Map(), loaded: false }
}

function inputOf({ byPath }: Device, path: string): Input | undefined {
  const target = byPath.get(path)
  if (target) return { target }
  const slash = path.lastIndexOf('/')
  const struct = byPath.get(path.slice(0, slash))
  const field = path.slice(slash + 1)
  return struct?.leaf.type === 'struct' ? { target: struct, field } : undefined
}

/** For each path what it changes, also by way of others; what needs its own result is left out. */
function afterOf(computed: readonly Computed[]) {
  const byPath = new Map(computed.map((one) => [one.target.leaf.path, one]))
  const needs = new Map(
    computed.map(({ target, inputs }) => [
      target.leaf.path,
      inputs.flatMap((input) => input?.target.leaf.path ?? []),
    ]),
  )
  const after = new Map<Target, Computed[]>()
  // Those before it in the order are complete: what one needs includes what its inputs need.
  const roots = new Map<Computed, Set<Target>>()
  for (const path of orderOf(needs).order) {
    const one = byPath.get(path)
    if (!one) continue
    const all = new Set<Target>()
    for (const input of one.inputs) {
      if (!input) continue
      all.add(input.target)
      const upstream = byPath.get(input.target.leaf.path)
      for (const target of (upstream && roots.get(upstream)) ?? []) all.add(target)
    }
    roots.set(one, all)
    for (const target of all) {
      const list = after.get(target)
      if (list) list.push(one)
      else after.set(target, [one])
    }
  }
  return after
}
