import { judgeNode } from './model-node-rules.ts'
import { fillParameters } from './parameters-contract.ts'
import { issue, mostIssues, readInstanceOf, type TreeNode, walk } from '../tree-rules.ts'

type Tree = Record<string, unknown>
export type PathFacts = {
  path: string
  type: string
  instanceOf: string | null
  label: string
  description: string
  unit: string
  tags: string[]
  version: string
  deprecated: boolean
}

/** `Oven:1.2.0` or `Oven` as name and version, the version being what was written. */
export function readName(text: string): { name: string; version?: string } | undefined {
  const [name = '', version, more] = text.split(':')
  if (more !== undefined || !/^[A-Za-z_][\w.-]{0,199}$/.test(name)) return undefined
  if (version === undefined) return { name }
  return /^\d{1,6}\.\d{1,6}\.\d{1,6}$/.test(version) ? { name, version } : undefined
}

export function versionParts(version: string) {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return { major, minor, patch }
}

export function isNewer(version: string, than: string) {
  const [one, other] = [versionParts(version), versionParts(than)]
  return (one.major - other.major || one.minor - other.minor || one.patch - other.patch) > 0
}

/** A model's tree under its name and version, which the root's `instanceOf` always repeats. */
export const withInstanceOf = (data: Tree, name: string, version: string): Tree => ({
  ...data,
  instanceOf: `${name}:${version}`,
})

/** Everything wrong with a model's tree. */
export function judgeModel(data: Tree) {
  const { tree, faults } = fillParameters(data)
  const { nodes, issues, refersToItself } = walk(tree)
  for (const { path, rule, message, name } of faults) {
    if (issues.length >= mostIssues) break
    issues.push(issue(path, message, rule, name === undefined ? undefined : { name }))
  }
  for (const one of nodes) {
    if (issues.length >= mostIssues) break
    issues.push(...judgeNode(one))
  }
  if (nodes.length === 1 && issues.length === 0) {
    issues.push(issue('properties', 'a model needs at least one property', 'empty'))
  }
  return { nodes, issues, refersToItself }
}

/** Facts of each path of a model: type, label, unit and so on. */
export const pathsOf = (nodes: readonly TreeNode[]): PathFacts[] =>
  nodes
    .filter(({ path }) => path !== '')
    .map(({ node, path }) => ({
      path,
      type: textOrEmpty(node['type']),
      instanceOf: textOrEmpty(node['instanceOf']) || null,
      label: textOrEmpty(node['label']),
      description: textOrEmpty(node['description']),
      unit: textOrEmpty(node['unit']),
      tags: Array.isArray(node['tags']) ? node['tags'].map(String) : [],
      version: textOrEmpty(node['version']),
      deprecated: node['deprecated'] === true,
    }))

/** Label, unit, description and limits of a model's paths that have any, as `Oven:1/zones[*]/temperature`. */
export function wordsOf(model: Tree) {
  const instance = readInstanceOf(model['instanceOf'])
  if (!instance) return []
  const root = `${instance.name}:${versionParts(instance.version).major}`
  return walk(model).nodes.flatMap(({ node, path }) => {
    const words = {
      label: textOrEmpty(node['label']),
      unit: textOrEmpty(node['unit']),
      description: textOrEmpty(node['description']),
      ...limitsOf(node),
    }
    const isBare = Object.values(words).every((one) => one === '')
    return path === '' || isBare ? [] : [{ path: `${root}/${path}`, ...words }]
  })
}

/** The least and the greatest value that a node takes, as far as its model says so. */
const limitsOf = ({ min, max }: Tree) => ({
  ...(typeof min === 'number' && { min }),
  ...(typeof max === 'number' && { max }),
})

const textOrEmpty = (value: unknown) => (typeof value === 'string' ? value : '')

/** The models that a tree contains, innermost first, each as a tree of its own. */
export const nestedModels = (nodes: readonly TreeNode[]) =>
  nodes
    .filter(({ path, kind }) => path !== '' && (kind === 'object' || kind === 'struct'))
    .flatMap(({ node, at }) => {
      const instance = readInstanceOf(node['instanceOf'])
      return instance ? [{ ...instance, node, at }] : []
    })
    .toReversed()
