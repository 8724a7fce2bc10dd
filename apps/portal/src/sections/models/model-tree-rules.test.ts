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

test('the last node of a part takes the choice to the one before it, the only one to its part', () => {
  expect(remove(root, [idOf(['zone', 'u'])]).chosen).toEqual([t])
  expect(remove(root, [idOf(['s', 'f'])]).chosen).toEqual([idOf(['s'])])
})

test('the root and the item of an array can be neither taken away, renamed nor copied', () => {
  const item = idOf(['list', '[*]'])
  for (const id of ['', item]) {
    expect(remove(root, [id]).root).toBe(root)
    expect(rename(root, id, 'other').root).toBe(root)
    expect(duplicate(root, [id]).root).toEqual(root)
    expect(mayMove(root, [id], idOf(['zone']))).toBe(false)
  }
})

test('of a part and something in it, the part alone is taken away, copied and moved', () => {
  const both = [t, idOf(['zone'])]
  expect(nodeAt(remove(root, both).root, idOf(['zone']))).toBeUndefined()
  expect(duplicate(root, both).chosen).toEqual([idOf(['zone_2'])])
  const moved = move(root, both, { parent: '', index: 4 })
  expect(moved.chosen).toEqual([idOf(['zone'])])
})

test('a copy of a copy counts on, and keeps what the node has', () => {
  const once = duplicate(root, [idOf(['a'])])
  const twice = duplicate(once.root, once.chosen)
  expect(twice.chosen).toEqual([idOf(['a_3'])])
  expect(nodeAt(twice.root, idOf(['a_3']))).toEqual(leaf('double', { unit: '°C' }))
})

test('a rename keeps the place among the others and what is below', () => {
  const { root: next, chosen } = rename(root, idOf(['zone']), 'area')
  expect(Object.keys(next['properties'] as object)).toEqual(['a', 'area', 'list', 's'])
  expect(nodeAt(next, childId('area', 't'))).toEqual(leaf())
  expect(chosen).toEqual(['area'])
})

test('a node that moves within its part stands where it was dropped', () => {
  const names = (index: number) =>
    Object.keys(move(root, [idOf(['a'])], { parent: '', index }).root['properties'] as object)
  expect(names(0)).toEqual(['a', 'zone', 'list', 's'])
  expect(names(2)).toEqual(['zone', 'a', 'list', 's'])
  expect(names(4)).toEqual(['zone', 'list', 's', 'a'])
})

test('a node that moves to where its name is taken gets a number', () => {
  const withT = insert(root, { parent: '', index: 0 }, ['t', leaf('string')]).root
  const { root: next, chosen } = move(withT, [t], { parent: '', index: 0 })
  expect(chosen).toEqual([idOf(['t_2'])])
  expect(nodeAt(next, idOf(['t']))).toEqual(leaf('string'))
})

test('at the edge of its part a node does not move by keyboard', () => {
  expect(moveBy(root, idOf(['a']), 'up').root).toBe(root)
  expect(moveBy(root, idOf(['s']), 'down').root).toBe(root)
  expect(moveBy(root, idOf(['a']), 'out').root).toBe(root)
  expect(moveBy(root, idOf(['a']), 'in').root).toBe(root)
})

test('by keyboard a node goes out of its part, behind it, and into the part above', () => {
  const out = moveBy(root, t, 'out')
  expect(Object.keys(out.root['properties'] as object)).toEqual(['a', 'zone', 't', 'list', 's'])
  const back = moveBy(out.root, idOf(['t']), 'in')
  expect(back.chosen).toEqual([t])
  expect(Object.keys(nodeAt(back.root, idOf(['zone']))?.['properties'] as object)).toEqual([
    'u',
    't',
  ])
})

test('a change of one node leaves the others the same objects, so that they are not drawn again', () => {
  const next = setKeys(root, [t], { unit: 'bar' })
  expect(nodeAt(next, idOf(['s']))).toBe(nodeAt(root, idOf(['s'])))
  expect(nodeAt(next, t)).toEqual(leaf('double', { unit: 'bar' }))
  expect(setKeys(next, [t], { unit: '' })).toEqual(root)
})
