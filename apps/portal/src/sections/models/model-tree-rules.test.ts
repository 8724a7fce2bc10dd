import { expect, test } from 'vitest'
import {
  childId,
  idOf,
  idOfIssue,
  modelPathOf,
  nodeAt,
  nodesOf,
  rowsOf,
} from '../../parts/models/model-tree-rules.ts'
import {
  duplicate,
  insert,
  mayMove,
  move,
  moveBy,
  placeFor,
  remove,
  rename,
  retyped,
  setKeys,
} from './model-tree-edits.ts'

const leaf = (type = 'double', more: object = {}) => ({ type, ...more })
const root = {
  type: 'object',
  properties: {
    a: leaf('double', { unit: '°C' }),
    zone: { type: 'object', properties: { t: leaf(), u: leaf('string') } },
    list: {
      type: 'array',
      length: 3,
      item: { type: 'object', properties: { x: leaf('integer', { label: 'Speed' }) } },
    },
    s: { type: 'struct', properties: { f: leaf() } },
  },
}
const t = idOf(['zone', 't'])
const x = idOf(['list', '[*]', 'x'])
const paths = (tree: object) =>
  nodesOf(tree as typeof root)
    .map(({ id }) => modelPathOf(id))
    .slice(1)

test('each node has its model path', () => {
  expect(paths(root)).toEqual([
    'a',
    'zone',
    'zone/t',
    'zone/u',
    'list',
    'list[*]',
    'list[*]/x',
    's',
    's/f',
  ])
  expect(nodeAt(root, x)).toEqual(leaf('integer', { label: 'Speed' }))
  expect(nodeAt(root, idOf(['zone', 'none']))).toBeUndefined()
})

test('lines say level, place and whether they are open', () => {
  const rows = rowsOf(root, { closed: new Set(['zone', 'list']) })
  expect(
    rows.map(({ name, level, position, siblings, open }) => [
      name,
      level,
      position,
      siblings,
      open,
    ]),
  ).toEqual([
    ['', 1, 1, 1, true],
    ['a', 2, 1, 4, undefined],
    ['zone', 2, 2, 4, false],
    ['list', 2, 3, 4, false],
    ['s', 2, 4, 4, true],
    ['f', 3, 1, 1, undefined],
  ])
  const found = rowsOf(root, { closed: new Set(['list']), filter: 'speed' })
  expect(found.map(({ name }) => name)).toEqual(['', 'list', '[*]', 'x'])
  expect(rowsOf(root, { closed: new Set(), filter: 'nothing' })).toEqual([])
})

test('a problem of the server is found in the tree', () => {
  expect(idOfIssue(root, 'properties.zone.properties.t.unit')).toBe(t)
  expect(idOfIssue(root, 'properties.list.item.properties.x')).toBe(x)
  expect(idOfIssue(root, 'properties.zone.properties.gone.type')).toBe('zone')
  expect(idOfIssue({ type: 'object', properties: { 'a.b': leaf() } }, 'properties.a.b.type')).toBe(
    'a.b',
  )
  expect(idOfIssue(root, '')).toBe('')
})

test('a new node goes where it may, under a name that is free', () => {
  expect(placeFor(root, 'zone', leaf())).toEqual({ parent: 'zone', index: 2 })
  expect(placeFor(root, t, leaf())).toEqual({ parent: 'zone', index: 1 })
  expect(placeFor(root, idOf(['s', 'f']), { type: 'object' })).toEqual({ parent: '', index: 4 })
  expect(placeFor(root, idOf(['list']), leaf())).toEqual({ parent: '', index: 3 })
  const { root: tree, chosen } = insert(root, { parent: 'zone', index: 1 }, ['t', leaf()])
  expect(chosen).toEqual([idOf(['zone', 't_2'])])
  expect(paths(tree).slice(1, 5)).toEqual(['zone', 'zone/t', 'zone/t_2', 'zone/u'])
})

test('what is taken away takes the choice to its neighbour', () => {
  const { root: tree, chosen } = remove(root, [t, 'zone', 'a'])
  expect(paths(tree)).toEqual(['list', 'list[*]', 'list[*]/x', 's', 's/f'])
  expect(chosen).toEqual(['list'])
  expect(remove(root, ['', idOf(['list', '[*]'])]).root).toBe(root)
})

test('a name that is taken is no new name', () => {
  expect(rename(root, 'a', 'zone').root).toBe(root)
  const { root: tree, chosen } = rename(root, 'zone', 'heater')
  expect(Object.keys(tree['properties'] as object)).toEqual(['a', 'heater', 'list', 's'])
  expect(chosen).toEqual(['heater'])
})

test('copies stand after what they are of', () => {
  const { root: tree, chosen } = duplicate(root, ['a', 'zone', t])
  expect(Object.keys(tree['properties'] as object)).toEqual([
    'a',
    'a_2',
    'zone',
    'zone_2',
    'list',
    's',
  ])
  expect(chosen).toEqual(['a_2', 'zone_2'])
})

test('nodes go where they fit, and nowhere else', () => {
  expect(mayMove(root, ['zone'], 's')).toBe(false)
  expect(mayMove(root, ['zone'], childId('zone', 't'))).toBe(false)
  expect(mayMove(root, ['zone'], 'zone')).toBe(false)
  expect(mayMove(root, ['a'], 's')).toBe(true)
  expect(mayMove(root, ['a'], 'list')).toBe(false)
  const { root: tree } = move(root, [t, 's'], { parent: '', index: 1 })
  expect(Object.keys(tree['properties'] as object)).toEqual(['a', 't', 's', 'zone', 'list'])
  const back = move(root, ['s', 'a'], { parent: '', index: 3 })
  expect(Object.keys(back.root['properties'] as object)).toEqual(['zone', 'list', 's', 'a'])
})

test.each([
  ['zone', 'up', ['zone', 'a', 'list', 's']],
  ['zone', 'down', ['a', 'list', 'zone', 's']],
  ['a', 'up', ['a', 'zone', 'list', 's']],
  ['s', 'down', ['a', 'zone', 'list', 's']],
  [t, 'out', ['a', 'zone', 't', 'list', 's']],
  ['s', 'in', ['a', 'zone', 'list', 's']],
] as const)('%j moved %s by keyboard', (id, direction, wanted) => {
  const { root: tree } = moveBy(root, id, direction)
  expect(Object.keys(tree['properties'] as object)).toEqual(wanted)
})

test('keys that say nothing are left out, and other types keep their words', () => {
  const tree = setKeys(root, ['a', t], { unit: 'K', label: '', tags: [] })
  expect(nodeAt(tree, 'a')).toEqual({ type: 'double', unit: 'K' })
  expect(nodeAt(tree, t)).toEqual({ type: 'double', unit: 'K' })
  expect(nodeAt(setKeys(tree, ['a'], { unit: undefined }), 'a')).toEqual({ type: 'double' })
  expect(retyped(leaf('double', { unit: 'm', min: 1 }), 'string')).toEqual({
    type: 'string',
    unit: 'm',
  })
  expect(retyped(leaf('double', { min: 0 }), 'integer')).toEqual({ type: 'integer', min: 0 })
  expect(retyped(leaf(), 'array')).toEqual({ type: 'array', length: 2, item: { type: 'double' } })
})
