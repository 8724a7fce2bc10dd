import { orderOf } from '@longreach/formula/cycles'
import { parseFormula } from '@longreach/formula/parse'
import { anyIndex } from '@longreach/formula/paths'
import { type KnownPaths, validateFormula } from '@longreach/formula/validate'
import type { Issue } from '../asked-contract.ts'
import { isTree, issue, type TreeNode } from '../tree-rules.ts'

type Tree = Record<string, unknown>
/** Where the text of a formula stands in a node. */
export const formulaPlace = 'datalink.source.functions.formula.map'

export const isFormula = ({ datalink }: Tree) => isTree(datalink) && datalink['type'] === 'formula'

/** The text that a node is computed from; undefined when it is not computed. */
export function formulaOf(node: Tree): string | undefined {
  if (!isFormula(node)) return undefined
  let inner: unknown = node
  for (const key of formulaPlace.split('.')) inner = isTree(inner) ? inner[key] : undefined
  return typeof inner === 'string' ? inner : undefined
}

/** With a number for every `${0}`, as long as that: places in the text stay where they are. */
export const withAnyPlace = (text: string) =>
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

const ignored = ['sampling', 'aggregation', 'reduce'] as const

/**
 * What a formula's alignment and functions say and computing does not use: a computed value has a
 * value whenever one of its inputs has one, so that there is nothing to sample or to aggregate.
 */
export function ignoredOf({ node, at }: TreeNode): Issue[] {
  const { datalink } = node
  const source = isFormula(node) && isTree(datalink) ? datalink['source'] : undefined
  if (!isTree(source)) return []
  return ['alignment', 'functions', 'functions.formula'].flatMap((place) => {
    let inner: unknown = source
    for (const key of place.split('.')) inner = isTree(inner) ? inner[key] : undefined
    return ignored
      .filter((key) => isTree(inner) && inner[key] !== undefined && inner[key] !== null)
      .map((key) => ({
        ...issue(
          `${at}.datalink.source.${place}.${key}`,
          `${key} has no effect here: the formula is computed whenever one of its inputs has a value`,
          'formulaIgnored',
          { field: key },
        ),
        severity: 'warning' as const,
      }))
  })
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
export function variablesIn(text: string): string[] {
  const parsed = parseFormula(withAnyPlace(text))
  return parsed.ok ? parsed.formula.variables.map(anyIndex) : []
}
