import {
  fillPolicies,
  type Missing,
  paddingPolicies,
  usualMissing,
} from '@longreach/formula/missing'
import { atPlace } from '@longreach/formula/paths'
import type { FormulaWindows } from '@longreach/formula/windows'
import { isTree } from '../tree-rules.ts'
import { formulaOf, windowsOf } from './formula-rules.ts'

type Tree = Record<string, unknown>

/** Value that the platform computes; the configuration of the device does not contain it. */
type FormulaLeaf = {
  /** With the model's name: `Oven:1/zones[3]/deviation`. */
  path: string
  type: string
  history: boolean
  /** The formula, with the indexes of its place. */
  text: string
  missing: Missing
  /** Absent: it is computed whenever one of its inputs has a value. */
  windows?: FormulaWindows
}

/** More than any device needs: each input may change all of them. */
export const mostFormulas = 2_000

type Place = { path: string; indexes: readonly number[] }

/** The computed values of a preset, in arrays one for each item; not far beyond `mostFormulas`. */
export function formulaLeaves(json: Tree): FormulaLeaf[] {
  const leaves: FormulaLeaf[] = []
  const instance = json['instanceOf']
  // As `readConfiguration` names the paths of the configuration.
  const path = typeof instance === 'string' ? (instance.split('.')[0] ?? '') : ''
  collect(json, { path, indexes: [] }, leaves)
  return leaves
}

function collect(node: unknown, place: Place, leaves: FormulaLeaf[]): void {
  if (!isTree(node) || leaves.length > mostFormulas || !hasFormula(node)) return
  const { properties, item, length, type } = node
  if (type === 'array' && typeof length === 'number') {
    for (let index = 0; index < length && leaves.length <= mostFormulas; index += 1) {
      const indexes = [...place.indexes, index]
      collect(item, { path: `${place.path}[${index}]`, indexes }, leaves)
    }
    return
  }
  if (isTree(properties)) {
    for (const [name, child] of Object.entries(properties)) {
      collect(child, { ...place, path: `${place.path}/${name}` }, leaves)
    }
    return
  }
  const text = formulaOf(node)
  if (text !== undefined) leaves.push(leafOf(node, text, place))
}

/** Spares the walk through arrays of ten thousand items without a formula. */
const hasFormula = (node: Tree): boolean =>
  formulaOf(node) !== undefined ||
  (isTree(node['item']) && hasFormula(node['item'])) ||
  (isTree(node['properties']) &&
    Object.values(node['properties']).some((child) => isTree(child) && hasFormula(child)))

function leafOf(node: Tree, text: string, { path, indexes }: Place): FormulaLeaf {
  const history = node['historyPolicy']
  const { windows } = windowsOf(node)
  return {
    path,
    type: String(node['type']),
    history: !isTree(history) || history['enabled'] !== false,
    text: atPlace(text, indexes),
    missing: missingOf(node),
    ...(windows && { windows }),
  }
}

function missingOf({ datalink }: Tree): Missing {
  let inner: unknown = datalink
  for (const key of ['source', 'alignment', 'missingValues']) {
    inner = isTree(inner) ? inner[key] : undefined
  }
  const { fillPolicy, paddingPolicy } = isTree(inner) ? inner : {}
  return {
    fill: fillPolicies.find((one) => one === fillPolicy) ?? usualMissing.fill,
    padding: paddingPolicies.find((one) => one === paddingPolicy) ?? usualMissing.padding,
  }
}
