import { SendPolicy } from '@longreach/device-protocol/configuration'
import { KnownPaths } from '@longreach/formula/validate'
import type { z } from 'zod'
import type { Issue } from '../asked-contract.ts'
import type { IssueRule } from '../issue-rules.ts'
import { formulaLeaves, mostFormulas } from './formula-leaf-rules.ts'
import { ignoredOf, isFormula, judgeCircles, judgeFormula } from './formula-rules.ts'
import { isTree, issue, mostIssues, type TreeNode, walk } from '../tree-rules.ts'

type Tree = Record<string, unknown>

export type JudgedPreset = {
  nodes: TreeNode[]
  issues: Issue[]
  /** Settings that are saved and have no effect. */
  warnings: Issue[]
  /** Paths that the preset has and its model has not. */
  missing: string[]
}

/** Everything wrong with a preset for this model: shape, paths, datatypes, links and policies. */
export function judgePreset(preset: Tree, model: Tree): JudgedPreset {
  const { nodes, issues } = walk(preset)
  if (preset['type'] !== 'object')
    issues.push(issue('type', 'a preset is an object', 'presetObject'))
  const types = new Map(walk(model).nodes.map(({ path, node }) => [path, node]))
  const missing: string[] = []
  const warnings = nodes.flatMap(ignoredOf)
  const values = new KnownPaths(
    nodes
      .filter((one) => isLinked(one) || (one.kind === 'leaf' && isFormula(one.node)))
      .map(({ path }) => path),
  )
  if (formulaLeaves(preset).length > mostFormulas) {
    const message = `over ${mostFormulas} computed values`
    issues.push(issue('properties', message, 'computedMany', { most: mostFormulas }))
    return { nodes, issues, warnings, missing }
  }
  for (const one of nodes) {
    if (issues.length >= mostIssues) break
    const modelled = types.get(one.path)
    if (!modelled) {
      missing.push(one.path)
      const { path, at } = one
      issues.push(issue(at, `the model has no path ${path}`, 'pathMissing', { path }))
      continue
    }
    issues.push(...unlike(one, modelled), ...judgePresetNode(one, values))
  }
  issues.push(...judgeCircles(nodes))
  if (issues.length === 0 && !nodes.some(isLinked)) {
    issues.push(issue('properties', 'no value is linked to a tag of the device', 'unlinked'))
  }
  return { nodes, issues, warnings, missing }
}

function unlike({ node, at }: TreeNode, modelled: Tree): Issue[] {
  const wrong = (key: string) => {
    const [found, wanted] = [String(node[key]), String(modelled[key])]
    const message = `is ${found}, and in the model ${wanted}`
    return issue(at === '' ? key : `${at}.${key}`, message, 'unlike', { found, wanted })
  }
  if (node['type'] !== modelled['type']) return [wrong('type')]
  return node['length'] === modelled['length'] ? [] : [wrong('length')]
}

function judgePresetNode(one: TreeNode, values: KnownPaths): Issue[] {
  if (one.kind === 'object' || one.kind === 'array') return []
  const linked = isFormula(one.node) ? judgeFormula(one, values) : judgeLink(one)
  const issues = [...linked, ...judgePolicy(one)]
  if (one.inStruct) return issues
  const { node, at } = one
  const wrong = (key: string, message: string, rule: IssueRule) =>
    issues.push(issue(`${at}.${key}`, message, rule))
  if (node['mode'] !== 'R' && node['mode'] !== 'RW') wrong('mode', 'must be R or RW', 'mode')
  const history = node['historyPolicy']
  if (!isTree(history) || typeof history['enabled'] !== 'boolean') {
    wrong('historyPolicy', 'must be an object that says whether history is enabled', 'history')
  }
  if (one.kind === 'struct' && linkOf(node) !== undefined && linkedFields(node).length > 0) {
    wrong('datalink', 'a struct is linked as a whole or field by field, not both', 'linkedTwice')
  }
  return issues
}

function judgeLink({ node, at }: TreeNode): Issue[] {
  const datalink = node['datalink']
  if (datalink === undefined || datalink === null) return []
  if (!isTree(datalink)) return [issue(`${at}.datalink`, 'must be an object with a source', 'link')]
  const { source } = datalink
  const good = typeof source === 'string' && source.length <= 1_000
  return good ? [] : [issue(`${at}.datalink.source`, 'must be the name of a tag', 'linkSource')]
}

function judgePolicy({ node, at, inStruct }: TreeNode): Issue[] {
  const policy = node['sendPolicy']
  if (policy === undefined || policy === null) return []
  if (inStruct)
    return [issue(`${at}.sendPolicy`, 'a field of a struct has no send policy', 'policyInStruct')]
  const parsed = SendPolicy.safeParse(policy)
  const wrong = parsed.error?.issues.map((one) => policyIssue(`${at}.sendPolicy`, one))
  if (wrong) return wrong
  // Device libraries test a text mode as bits, so that such a trigger never fires.
  return parsed.data?.triggers?.length === 0
    ? [issue(`${at}.sendPolicy.triggers`, 'without a trigger the value is never sent', 'noTrigger')]
    : []
}

function policyIssue(at: string, found: z.core.$ZodIssue): Issue {
  const place = [at, ...found.path.map(String)].join('.')
  const field = String(found.path.at(-1) ?? 'sendPolicy')
  const wrong = (rule: IssueRule, values: NonNullable<Issue['values']>) =>
    issue(place, found.message, rule, values)
  if (found.code === 'invalid_type') {
    return wrong('policy.type', { field, expected: found.expected })
  }
  if (found.code === 'too_small') {
    return wrong('policy.small', { field, least: Number(found.minimum) })
  }
  if (found.code === 'too_big') return wrong('policy.many', { field, most: Number(found.maximum) })
  return wrong('policy', { field })
}

/** The tag that a node is linked to; an empty name links nothing. */
export function linkOf(node: Tree): string | undefined {
  const datalink = node['datalink']
  const source = isTree(datalink) && !isFormula(node) ? datalink['source'] : undefined
  return typeof source === 'string' && source !== '' ? source : undefined
}

/** Names of a struct's fields that have tags of their own. */
export const linkedFields = ({ properties }: Tree): string[] =>
  Object.entries(isTree(properties) ? properties : {})
    .filter(([, field]) => isTree(field) && linkOf(field) !== undefined)
    .map(([name]) => name)

/** Does this node become a value of the configuration? */
export const isLinked = ({ kind, node, inStruct }: TreeNode): boolean =>
  !inStruct &&
  ((kind === 'leaf' && linkOf(node) !== undefined) ||
    (kind === 'struct' && (linkOf(node) !== undefined || linkedFields(node).length > 0)))
