import { expect, test } from 'vitest'
import { addInstances } from './model-tree-instances.ts'
import {
  filledTree,
  setWritten,
  usableParameters,
  usesParameters,
  writtenAs,
} from './model-tree-parameters.ts'
import { nodeAt } from '../../parts/models/model-tree-rules.ts'

const n = { name: 'n', type: 'text' as const }
const root = {
  type: 'object',
  properties: {
    zone1: {
      type: 'object',
      parameters: [n],
      arguments: { n: '1' },
      properties: {
        list: { type: 'array', length: 2, item: { type: 'double' } },
        t: { type: 'double', label: 'T' },
      },
    },
  },
}
const [zone, leaf, item] = ['zone1', 'zone1\nt', 'zone1\nlist\n[*]']

test('a text with a parameter is kept as it was written, and filled in', () => {
  const tree = filledTree(setWritten(root, [leaf], { key: 'label', value: 'Temperature {n}' }))
  const node = nodeAt(tree, leaf) ?? {}
  expect([node['label'], writtenAs(node, 'label')]).toEqual(['Temperature 1', 'Temperature {n}'])
  const plain = nodeAt(setWritten(tree, [leaf], { key: 'label', value: 'Power' }), leaf)
  expect(plain).toEqual({ type: 'double', label: 'Power' })
  const empty = nodeAt(setWritten(tree, [leaf], { key: 'label', value: '' }), leaf)
  expect(empty).toEqual({ type: 'double' })
})

test('a text with braces that name no parameter stays a text', () => {
  const tree = setWritten(root, [leaf], { key: 'label', value: 'Set {a}' })
  expect(nodeAt(tree, leaf)).toEqual({ type: 'double', label: 'Set {a}' })
  expect(usesParameters('{n} {a}', [n])).toBe(false)
})

test('values, also of arrays, use the parameters of the object that they are in', () => {
  expect([zone, leaf, item].map((id) => usableParameters(root, id))).toEqual([[n], [n], [n]])
  expect(usableParameters(root, '')).toEqual([])
})

test('further instances get the next values', () => {
  const labelled = setWritten(root, [zone], { key: 'label', value: 'Zone {n}' })
  const tree = filledTree(addInstances(filledTree(labelled), zone, 2).root)
  const labels = ['zone1', 'zone2', 'zone3'].map((id) => nodeAt(tree, id)?.['label'])
  expect(labels).toEqual(['Zone 1', 'Zone 2', 'Zone 3'])
  expect(nodeAt(tree, 'zone3')?.['arguments']).toEqual({ n: '3' })
})

test('a tree without parameters stays the same object', () => {
  const plain = { type: 'object', properties: { t: { type: 'double' } } }
  expect(filledTree(plain)).toBe(plain)
})
