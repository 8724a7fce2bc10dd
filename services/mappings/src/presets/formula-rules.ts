import { orderOf } from '@longreach/formula/cycles'
import { parseFormula } from '@longreach/formula/parse'
import { anyIndex } from '@longreach/formula/paths'
import { type KnownPaths, validateFormula } from '@longreach/formula/validate'
import { readWindows } from '@longreach/formula/windows'
import type { Issue } from '../asked-contract.ts'
import { isTree, issue, type TreeNode } from '../tree-rules.ts'

type Tree = Record<string, unknown>
/** Place of the text of a formula in a node. */
const formulaPlace = 'datalink.source.functions.formula.map'

export const isFormula = ({ datalink }: Tree) => isTree(datalink) && datalink['type'] === 'formula'

/** The text that a node is computed from; undefined when it is not computed. */
export function formulaOf(node: Tree): string | undefined {
  if (!isFormula(node)) return undefined
  let inner: unknown = node
  for (const key of formulaPlace.split('.')) inner = isTree(inner) ? inner[key] : undefined
  return typeof inner === 'string' ? inner : undefined
}

/** With a number for every `${0}`, as long as that: places in the text stay where they are. */
const withAnyPlace = (text: string) =>
  text.replaceAll(/\$\{\d{1,3}\}/g, (whole) => '0'.repeat(whole.length))

/** Everything wrong with a computed value; `paths` are those that it may be made from. */
export function judgeFormula(one: TreeNode, paths: KnownPaths): Issue[] {
  const { node, at, kind, inStruct } = one
  if (inStruct || kind !== 'leaf') {
    return [issue(`${at}.datalink`, 'a struct and its fields are not computed', 'formulaInStruct')]
  }
  const text = formulaOf(node)
  const place = `${at}.${formulaPlace}`
  if (text === undefined) return [issue(place, 'must be the text of a formula', 'formulaText')]
  const issues = validateFormula(withAnyPlace(text), { paths }).map(
    ({ message, code, values, startLineNumber, startColumn, endLineNumber, endColumn }) => ({
      ...issue(place, message, `formula.${code}`, values),
      startLineNumber,
      startColumn,
      endLineNumber,
      endColumn,
    }),
  )
  if (node['mode'] !== 'RW') return issues
  return [...issues, issue(`${at}.mode`, 'a computed value cannot be written', 'formulaMode')]
}

/** Time windows of a computed node. */
export const windowsOf = ({ datalink }: Tree) =>
  readWindows(isTree(datalink) ? datalink['source'] : undefined)

/** Warnings for settings of time in a formula that are unknown or have no effect. */
export function ignoredOf({ node, at }: TreeNode): Issue[] {
  if (!isFormula(node)) return []
  return windowsOf(node).ignored.map((place) => ({
    ...issue(
      `${at}.datalink.source.${place}`,
      `${place} has no effect: it is unknown, or there is no stretch of time that it belongs to`,
      'formulaIgnored',
      { field: place.split('.').at(-1) ?? place },
    ),
    severity: 'warning' as const,
  }))
}

/** Formulas that need their own result, also by way of others. */
export function judgeCircles(nodes: readonly TreeNode[]): Issue[] {
  const needs = new Map<string, readonly string[]>()
  const places = new Map<string, string>()
  for (const { node, path, at } of nodes) {
    const text = formulaOf(node)
    if (text === undefined) continue
    needs.set(path, variablesIn(text))
    places.set(path, at)
  }
  return orderOf(needs).circular.map((path) => {
    const place = `${places.get(path)}.${formulaPlace}`
    return issue(place, `the formula needs its own result: ${path}`, 'formula.refers_to_itself', {
      path,
    })
  })
}

/** Paths that the formula reads, with `[*]` for indexes; none for a text that is no formula. */
function variablesIn(text: string): string[] {
  const parsed = parseFormula(withAnyPlace(text))
  return parsed.ok ? parsed.formula.variables.map(anyIndex) : []
}
