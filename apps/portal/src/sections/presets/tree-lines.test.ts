import { expect, test } from 'vitest'
import { idOf } from '../../parts/models/model-tree-rules.ts'
import { rowsOf, type Tree } from './preset-tree-rules.ts'
import { treeLines } from './tree-lines.ts'

const model: Tree = {
  type: 'object',
  instanceOf: 'Oven:1.0.0',
  properties: {
    zone: {
      type: 'object',
      properties: { air: { type: 'double' }, fan: { type: 'boolean' } },
    },
    heaters: {
      type: 'array',
      length: 4,
      item: { type: 'object', properties: { on: { type: 'boolean' } } },
    },
    serial: { type: 'string' },
  },
}
const known = new Map(rowsOf(model).map((row) => [row.path, row]))
const linesOf = (more: Partial<Parameters<typeof treeLines>[1]> = {}) =>
  treeLines(model, { closed: new Set(), known, wanted: undefined, ...more }).map(
    ({ name, level }) => `${level} ${name}`,
  )

test('the model itself is no line, and its parts begin at the first level', () => {
  expect(linesOf()).toEqual(['1 zone', '2 air', '2 fan', '1 heaters', '2 [*]', '3 on', '1 serial'])
})

test('a folded part hides what is in it, and stays itself', () => {
  expect(linesOf({ closed: new Set([idOf(['zone']), idOf(['heaters'])]) })).toEqual([
    '1 zone',
    '1 heaters',
    '1 serial',
  ])
})

test('a search shows what it finds with all that it is in, folded or not', () => {
  const closed = new Set([idOf(['heaters'])])
  expect(linesOf({ closed, wanted: new Set(['heaters[*]/on']) })).toEqual([
    '1 heaters',
    '2 [*]',
    '3 on',
  ])
  expect(linesOf({ wanted: new Set() })).toEqual([])
})
