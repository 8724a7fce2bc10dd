import { isDatatype } from '@longreach/device-protocol/value'
import type { Issue } from './asked-contract.ts'
import type { IssueRule } from './issue-rules.ts'

type Tree = Record<string, unknown>

type NodeKind = 'object' | 'struct' | 'array' | 'leaf'
/** A node of a model or preset, with what a rule needs to judge it. */
export type TreeNode = {
  kind: NodeKind
  node: Tree
  /** Model path below the name: `zone/temperature`, in arrays `zones[*]/temperature`; '' is the root. */
  path: string
  /** Keys from the root, for messages: `properties.zone.properties.temperature`. */
  at: string
  inStruct: boolean
}
type Walk = {
  nodes: TreeNode[]
  issues: Issue[]
  refersToItself: boolean
  /** There are more nodes than a tree may have: what comes after them was not looked at. */
  full: boolean
}

const namePattern = /^[a-zA-Z_][a-zA-Z0-9_]*(?:\/[a-zA-Z_][a-zA-Z0-9_]*){0,61}$/
const instancePattern = /^([A-Za-z_][\w.-]{0,199}):(\d{1,6}\.\d{1,6}\.\d{1,6})$/
const deepest = 40
const mostNodes = 10_000
const longestPath = 2_000
/** Things that are told to be wrong; the rest is seen when these are mended. */
export const mostIssues = 1_000

/** Name and version of an `instanceOf`: `Oven:1.0.0`. */
export function readInstanceOf(text: unknown) {
  const match = typeof text === 'string' ? instancePattern.exec(text) : null
  return match ? { name: match[1] ?? '', version: match[2] ?? '' } : undefined
}

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Place = {
  path: string
  at: string
  inStruct: boolean
  depth: number
  /** Names of the models around this place. */
  within: readonly string[]
}

/** All nodes of a tree in order, and everything that is wrong with its shape. */
export function walk(root: Tree): Walk {
  const found: Walk = { nodes: [], issues: [], refersToItself: false, full: false }
  visit(root, { path: '', at: '', inStruct: false, depth: 0, within: [] }, found)
  const paths = new Set<string>()
  for (const { path, at } of found.nodes) {
    if (paths.has(path)) found.issues.push(issue(at, `the path ${path} is there twice`, 'twice'))
    paths.add(path)
  }
  return found
}

export const issue = (
  path: string,
  message: string,
  rule: IssueRule,
  values?: NonNullable<Issue['values']>,
): Issue => ({
  path,
  message,
  severity: 'error',
  rule,
  ...(values && { values }),
})

const below = (at: string, key: string) => (at === '' ? key : `${at}.${key}`)

function visit(node: unknown, place: Place, found: Walk): void {
  const { at } = place
  const wrong = (key: string, message: string, rule: IssueRule) =>
    found.issues.push(issue(below(at, key), message, rule))
  if (!isTree(node)) return void found.issues.push(issue(at, 'must be an object', 'object'))
  if (place.depth > deepest) return void wrong('', `nested deeper than ${deepest}`, 'deep')
  if (found.nodes.length >= mostNodes) {
    if (!found.full) found.issues.unshift(issue('', `more than ${mostNodes} nodes`, 'nodes'))
    found.full = true
    return
  }
  if (place.path.length > longestPath) {
    return void wrong('', `a path is longer than ${longestPath} characters`, 'name')
  }
  const kind = kindOf(node['type'])
  if (!kind) {
    return void wrong(
      'type',
      `unknown type ${shortenJson(node['type'])}: use a datatype, object, struct or array`,
      'type',
    )
  }
  if (place.inStruct && kind !== 'leaf')
    wrong('type', 'a field of a struct has a datatype', 'structField')
  found.nodes.push({ kind, node, path: place.path, at, inStruct: place.inStruct })
  if (kind === 'array') visitArray(node, place, found)
  if (kind === 'object' || kind === 'struct') visitObject(node, kind, place, found)
}

const kindOf = (type: unknown): NodeKind | undefined => {
  if (type === 'object' || type === 'struct' || type === 'array') return type
  return typeof type === 'string' && isDatatype(type) ? 'leaf' : undefined
}

function visitArray(node: Tree, place: Place, found: Walk) {
  const { length, item } = node
  const good =
    typeof length === 'number' && Number.isInteger(length) && length >= 1 && length <= 10_000
  if (!good)
    found.issues.push(
      issue(below(place.at, 'length'), 'must be a whole number from 1 to 10000', 'length'),
    )
  visit(
    item,
    { ...place, path: `${place.path}[*]`, at: below(place.at, 'item'), depth: place.depth + 1 },
    found,
  )
}

const isEnough = ({ full, issues }: Walk) => full || issues.length >= mostIssues

function visitObject(node: Tree, kind: NodeKind, place: Place, found: Walk) {
  const { at, path, within } = place
  const wrong = (key: string, message: string, rule: IssueRule) =>
    found.issues.push(issue(below(at, key), message, rule))
  const named = node['instanceOf']
  const instance = readInstanceOf(named)
  if (!instance && (named !== undefined || path === '')) {
    wrong('instanceOf', 'must be a name and a version, as Oven:1.0.0', 'instance')
  }
  if (instance && within.includes(instance.name)) {
    found.refersToItself = true
    return void wrong('instanceOf', `${instance.name} contains itself`, 'itself')
  }
  const properties = node['properties']
  if (!isTree(properties))
    return void wrong('properties', 'must be an object of properties', 'properties')
  for (const [name, child] of Object.entries(properties)) {
    if (isEnough(found)) return
    const childAt = below(below(at, 'properties'), name)
    if (!namePattern.test(name)) {
      found.issues.push(
        issue(childAt, 'a name has letters, digits and _, and does not begin with a digit', 'name'),
      )
    }
    visit(
      child,
      {
        path: path === '' ? name : `${path}/${name}`,
        at: childAt,
        inStruct: kind === 'struct',
        depth: place.depth + 1,
        within: instance ? [...within, instance.name] : within,
      },
      found,
    )
  }
}

const shortenJson = (value: unknown) => (JSON.stringify(value) ?? 'none').slice(0, 40)
