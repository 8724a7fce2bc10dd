import { relativePath } from '@longreach/formula/paths'
import { parseFormula } from '@longreach/formula/parse'
import type { FormulaValue } from '@longreach/formula/tree'
import { type Compare, compareWith, compareWithOther } from './compare.ts'
import type { CompiledLeaf, Past, Read, RuleInput } from './compiled.ts'
import type { Leaf, Level } from './rule.ts'
import { staysWith } from './stays.ts'

/** List of the inputs of a rule while it is compiled, each once. */
export class InputList {
  readonly inputs: RuleInput[] = []
  readonly keepsPast: boolean[] = []
  private readonly known = new Map<string, number>()

  /** Index of an input; paths are taken with or without the model's name. */
  indexOf(input: RuleInput): number {
    const given: RuleInput =
      'path' in input && input.path !== undefined
        ? { ...input, path: inputPath(input.path) }
        : input
    const key = JSON.stringify(given)
    const known = this.known.get(key)
    if (known !== undefined) return known
    this.inputs.push(given)
    this.keepsPast.push(false)
    this.known.set(key, this.inputs.length - 1)
    return this.inputs.length - 1
  }
}

/** Path below the model's name, with `[*]` for the index of the instance. */
export const inputPath = (path: string) =>
  relativePath(path).replaceAll(/\[\$\{\d{1,3}\}\]/g, '[*]')

/** Fault of a rule that was not validated before it is compiled. */
export class NotCompilable extends Error {}

/** Compiles a comparison; `level` gives the limit of one that has none itself. */
export function compileLeaf(leaf: Leaf, list: InputList, level?: Level): CompiledLeaf {
  const forMs = leaf.forMs ?? 0
  const { inputs, read } = readerOf(leaf, list)
  if (leaf.op === 'changed') {
    return {
      kind: 'changed',
      inputs,
      forMs,
      change: { differs: notSame, everyValue: false, skips: 0 },
    }
  }
  if (leaf.otherPath !== undefined) {
    const other = list.indexOf({ kind: 'path', path: leaf.otherPath })
    const compare = compareWithOther(leaf.op, leaf.clear)
    return { kind: 'compare', inputs: [...inputs, other], forMs, read, other, compare }
  }
  const [value, clear] =
    leaf.value === undefined ? [level?.value, level?.clear] : [leaf.value, leaf.clear]
  if (value === undefined) throw new NotCompilable('a comparison has no limit')
  const compare: Compare = compareWith(leaf.op, value, clear)
  const stays = leaf.formula === undefined ? staysWith(leaf.op, value, clear) : undefined
  return { kind: 'compare', inputs, forMs, read, limit: shownLimit(value), compare, stays }
}

const shownLimit = (value: NonNullable<Leaf['value']>) =>
  typeof value === 'number'
    ? value
    : Array.isArray(value)
      ? `${value[0]} – ${value[1]}`
      : String(value)

const notSame = (before: FormulaValue, after: FormulaValue) => before !== after

function readerOf(leaf: Leaf, list: InputList): { inputs: number[]; read: Read } {
  if (leaf.formula === undefined) {
    const input = list.indexOf({ kind: 'path', path: leaf.path ?? '' })
    return { inputs: [input], read: (v) => v[input] ?? null }
  }
  const parsed = parseFormula(leaf.formula)
  if (!parsed.ok) throw new NotCompilable(parsed.issues[0].message)
  const { formula } = parsed
  const inputs = formula.variables.map((path) => {
    const input = list.indexOf({ kind: 'path', path })
    if (formula.reach.has(path)) list.keepsPast[input] = true
    return input
  })
  const byPath = new Map(formula.variables.map((path, at) => [path, inputs[at] ?? 0]))
  const read: Read = (v, past) =>
    formula.run({
      values: inputs.map((input) => v[input] ?? null),
      t: 0,
      samples: (path) => samplesOf(past[byPath.get(path) ?? -1] ?? null),
    })
  return { inputs, read }
}

/** Samples for functions that look back at the value before. */
const samplesOf = (past: Past | null) =>
  past === null
    ? []
    : [
        { t: past[0], v: past[1] },
        { t: past[2], v: past[3] },
      ].filter(({ v }) => v !== null)
