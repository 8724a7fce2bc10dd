import { figureNames, figureOf } from '@longreach/formula/figures'
import { timeUnits } from '@longreach/calendar/units'
import { isModelNode as isTree } from '../../parts/models/model-tree-rules.ts'
import { formulaLink, formulaOf, type Leaf, type Tree } from './preset-tree-rules.ts'

/** Rules for an input without a value at a time that a preset may use; the others are for queries only. */
export const fills = ['EXTEND_LAST_VALUE', 'USE_NULL', 'USE_ZERO'] as const
export const paddings = ['NULL', 'ZERO'] as const
export const stretches = ['none', 'steps', 'SCALAR', 'MOVING'] as const
type Stretch = (typeof stretches)[number]

/** Sizes and the percentile stay as they are typed until they are numbers. */
export type FormulaTime = {
  /** Empty: computed whenever an input has a value. */
  stepUnit: string
  stepSize: unknown
  stepFigure: string
  stepParam: unknown
  /** Window over which the results are aggregated: none, the last steps, each stretch, or the one before each. */
  over: Stretch
  extent: unknown
  overUnit: string
  overSize: unknown
  figure: string
  param: unknown
  fill: (typeof fills)[number]
  padding: (typeof paddings)[number]
}

const at = (tree: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isTree(inner) ? inner[key] : undefined), tree)

/** Settings of time in a formula's source, as the form shows them. */
export function readTime(leaf: Leaf | undefined): FormulaTime {
  const source = leaf?.datalink?.source
  const reduce = at(source, 'functions', 'formula', 'reduce')
  const own = at(source, 'aggregation')
  const mode = at(own, 'mode')
  const step = figureIn(at(source, 'alignment', 'aggregation'), usualFigure)
  const last = figureIn(reduce ?? own, 'average')
  const overUnit = unitIn(at(own, 'unit'))
  const policies = at(source, 'alignment', 'missingValues')
  return {
    stepUnit: unitIn(at(source, 'alignment', 'sampling', 'unit')),
    stepSize: at(source, 'alignment', 'sampling', 'size') ?? 1,
    stepFigure: step.name,
    stepParam: step.param,
    over: stretchOf(mode, { summed: isTree(reduce) || typeof reduce === 'string', overUnit }),
    extent: at(source, 'alignment', 'sampling', 'extent') ?? 1,
    overUnit,
    overSize: at(own, 'size') ?? 1,
    figure: last.name,
    param: last.param,
    fill: fills.find((one) => one === at(policies, 'fillPolicy')) ?? 'EXTEND_LAST_VALUE',
    padding: String(at(policies, 'paddingPolicy')).endsWith('ZERO') ? 'ZERO' : 'NULL',
  }
}

function stretchOf(mode: unknown, { summed, overUnit }: { summed: boolean; overUnit: string }) {
  if (mode === 'DISABLED' || (mode === undefined && !summed)) return 'none'
  if (overUnit === '') return 'steps'
  return mode === 'MOVING' ? 'MOVING' : 'SCALAR'
}

const unitIn = (raw: unknown) => {
  const plural = String(raw).endsWith('s') ? raw : `${String(raw)}s`
  return timeUnits.find((one) => one === plural) ?? ''
}

/** Numbers are averaged, of others the last counts. */
export const usualFigure = 'usual'
const usualPercentile = 95

function figureIn(raw: unknown, usual: string) {
  const name = typeof raw === 'string' ? raw : (at(raw, 'operator') ?? at(raw, 'type'))
  const param = at(raw, 'param')
  if (typeof name !== 'string') return { name: usual, param: usualPercentile }
  const figure = figureOf(name, typeof param === 'number' ? param : undefined)
  if (figure) return { name: figure.name, param: figure.param ?? usualPercentile }
  // A percentile whose number is being typed.
  return { name: figureNames.find((one) => one === name) ?? '', param: param ?? '' }
}

export type TimeField = 'stepSize' | 'stepParam' | 'extent' | 'overSize' | 'param'
/** Faults by field, each part of a message id `presets.time.wrong.{fault}`; only for fields that are in use now. */
export function timeFaults(time: FormulaTime): Partial<Record<TimeField, 'size' | 'percentile'>> {
  const sampled = time.stepUnit !== ''
  const long = time.over === 'SCALAR' || time.over === 'MOVING'
  const asked: [TimeField, boolean, boolean][] = [
    ['stepSize', sampled, isSize(time.stepSize)],
    ['stepParam', sampled && time.stepFigure === 'percentile', isPercentile(time.stepParam)],
    ['extent', time.over === 'steps', isSize(time.extent)],
    ['overSize', long, isSize(time.overSize)],
    ['param', time.over !== 'none' && time.figure === 'percentile', isPercentile(time.param)],
  ]
  return Object.fromEntries(
    asked
      .filter(([, counts, good]) => counts && !good)
      .map(([field]) => [field, field.endsWith('aram') ? 'percentile' : 'size']),
  )
}

const greatestSize = 1_000_000_000
const isSize = (raw: unknown) => typeof raw === 'number' && raw > 0 && raw <= greatestSize
const isPercentile = (raw: unknown) => typeof raw === 'number' && raw >= 0 && raw <= 100

const figureTree = (key: 'type' | 'operator', name: string, param: unknown) => ({
  [key]: name,
  ...(name === 'percentile' && { param }),
})

/** The leaf with another time; what its source says beside that stays. */
export function withTime(leaf: Leaf, time: FormulaTime): Leaf {
  const { alignment, aggregation: _window, functions, ...rest } = treeOf(leaf.datalink?.source)
  const { reduce: _reduce, ...formula } = treeOf(at(functions, 'formula'))
  // The last steps can be taken together only where there are steps.
  const over = time.stepUnit === '' && time.over === 'steps' ? 'none' : time.over
  const aligned = alignmentOf(treeOf(alignment), { ...time, over })
  const reduce = over !== 'none' && {
    reduce: figureTree('operator', time.figure, time.param),
  }
  const source = {
    ...rest,
    ...(Object.keys(aligned).length > 0 && { alignment: aligned }),
    ...((over === 'SCALAR' || over === 'MOVING') && {
      aggregation: { mode: over, size: time.overSize, unit: time.overUnit },
    }),
    functions: { ...treeOf(functions), formula: { ...formula, ...reduce } },
  }
  return { ...leaf, datalink: { ...leaf.datalink, source } }
}

function alignmentOf(before: Tree, time: FormulaTime): Tree {
  const { sampling: _steps, aggregation: _figure, missingValues, ...rest } = before
  const missing = missingOf(treeOf(missingValues), time)
  if (time.stepUnit === '') return { ...rest, ...missing }
  const { stepSize: size, stepUnit: unit, stepFigure, stepParam, over, extent } = time
  return {
    ...rest,
    sampling: { size, unit, ...(over === 'steps' && { extent }) },
    ...(stepFigure !== usualFigure && {
      aggregation: figureTree('type', stepFigure, stepParam),
    }),
    ...missing,
  }
}

/** Rules for missing values that differ from the default; the default is left out. */
function missingOf(before: Tree, { fill, padding }: FormulaTime) {
  const { fillPolicy: _fill, paddingPolicy: _padding, ...rest } = before
  const missingValues = {
    ...rest,
    ...(fill !== 'EXTEND_LAST_VALUE' && { fillPolicy: fill }),
    ...(padding === 'ZERO' && { paddingPolicy: padding }),
  }
  return Object.keys(missingValues).length > 0 && { missingValues }
}

const treeOf = (raw: unknown): Tree => (isTree(raw) ? raw : {})

/** A computed leaf's link with another text; what it says of time stays. */
export function withText(leaf: Leaf, map: string) {
  const { datalink } = leaf
  if (formulaOf(leaf) === undefined || !isTree(datalink?.source)) return formulaLink(map)
  const functions = treeOf(datalink.source['functions'])
  const formula = { ...treeOf(functions['formula']), map }
  return { ...datalink, source: { ...datalink.source, functions: { ...functions, formula } } }
}
