import { readInstanceOf, type TreeNode, walk } from '../tree-rules.ts'
import { versionParts } from './model-rules.ts'

type Tree = Record<string, unknown>
type Change = 'none' | 'patch' | 'minor' | 'major'
/** One difference between two versions of a model. */
type ModelChange = {
  path: string
  /** `added`, `removed`, `type`, `length`, `order`, or the word about the path that is another: `unit`, `min` … */
  kind: string
  from: unknown
  to: unknown
  weight: Exclude<Change, 'none'>
}

const weights: readonly Change[] = ['none', 'patch', 'minor', 'major']

/** Weight of these changes together: that of the heaviest. */
export const heaviestChange = (changes: readonly ModelChange[]): Change =>
  changes.reduce<Change>(
    (most, { weight }) => (weights.indexOf(weight) > weights.indexOf(most) ? weight : most),
    'none',
  )

/** Weight of all changes from `before` to `after`. */
export const changeBetween = (before: Tree, after: Tree): Change =>
  heaviestChange(changesBetween(before, after))

/** The version after `version` for a change of this size. */
export function nextVersion(version: string, change: Change) {
  const { major, minor, patch } = versionParts(version)
  if (change === 'major') return `${major + 1}.0.0`
  if (change === 'minor') return `${major}.${minor + 1}.0`
  return change === 'patch' ? `${major}.${minor}.${patch + 1}` : version
}

/**
 * Changes from `before` to `after`: another datatype or a removed path is major, an added path is
 * minor, a changed description or order is a patch. Of a subtree that was added or removed as a
 * whole, only the uppermost path is listed.
 */
export function changesBetween(before: Tree, after: Tree): ModelChange[] {
  const [old, fresh] = [nodesByPath(before), nodesByPath(after)]
  const changes: ModelChange[] = []
  const whole = new Set<string>()
  const isInside = (path: string) => parentsOf(path).some((parent) => whole.has(parent))
  for (const [path, one] of old) {
    if (isInside(path)) continue
    const other = fresh.get(path)
    const found = other ? compareNodes(one, other) : [gone(one)]
    if (found.some(({ weight }) => weight === 'major')) whole.add(path)
    changes.push(...found)
  }
  for (const [path, one] of fresh) {
    if (old.has(path) || isInside(path)) continue
    whole.add(path)
    changes.push({ path, kind: 'added', from: null, to: typeOf(one), weight: 'minor' })
  }
  return changes
}

const nodesByPath = (tree: Tree) => new Map(walk(tree).nodes.map((one) => [one.path, one]))
const typeOf = ({ node }: TreeNode) => String(node['type'])

const gone = (one: TreeNode): ModelChange => ({
  path: one.path,
  kind: 'removed',
  from: typeOf(one),
  to: null,
  weight: 'major',
})

/** `zones[*]/heater/power` as itself and everything that it is in. */
function parentsOf(path: string) {
  const ends = [...path.matchAll(/\/|\[\*\]/g)].flatMap(({ index, 0: sign }) =>
    sign === '/' ? [index] : [index, index + sign.length],
  )
  return ends.map((end) => path.slice(0, end))
}

/** Not words about a path: its shape, and versions that follow from the content. */
const shape = new Set(['type', 'length', 'properties', 'item', 'instanceOf', 'UUID'])

function compareNodes(one: TreeNode, other: TreeNode): ModelChange[] {
  const { path } = one
  const [from, to] = [typeOf(one), typeOf(other)]
  if (from !== to) return [{ path, kind: 'type', from, to, weight: 'major' }]
  const [was, is] = [one.node, other.node]
  if (was['length'] !== is['length']) {
    return [{ path, kind: 'length', from: was['length'], to: is['length'], weight: 'major' }]
  }
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (key) => !shape.has(key),
  )
  const patch = (kind: string, values: { from: unknown; to: unknown }): ModelChange => ({
    path,
    kind,
    ...values,
    weight: 'patch',
  })
  const found = keys
    .filter((key) => comparedText(was[key]) !== comparedText(is[key]))
    .map((key) => patch(key, { from: was[key] ?? null, to: is[key] ?? null }))
  const [named, names] = [nameOf(was), nameOf(is)]
  if (path !== '' && named !== names)
    found.push(patch('instanceOf', { from: named ?? null, to: names ?? null }))
  if (isReordered(was, is)) found.push(patch('order', { from: null, to: null }))
  return found
}

const nameOf = ({ instanceOf }: Tree) => readInstanceOf(instanceOf)?.name

/** Nothing said and said as nothing are the same. */
function comparedText(value: unknown) {
  const empty =
    value === undefined ||
    value === null ||
    value === '' ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  return empty ? '' : JSON.stringify(value)
}

function isReordered(was: Tree, is: Tree) {
  const [names, others] = [new Set(namesIn(was)), new Set(namesIn(is))]
  const both = [...names].filter((name) => others.has(name))
  const after = [...others].filter((name) => names.has(name))
  return both.some((name, index) => after[index] !== name)
}
const namesIn = ({ properties }: Tree) =>
  typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
