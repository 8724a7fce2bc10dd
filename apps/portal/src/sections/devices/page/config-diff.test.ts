import { expect, test } from 'vitest'
import { changeCount, changedRows, diffRows } from './config-diff.ts'

const told = (first: unknown, second: unknown) =>
  changedRows(diffRows(first, second)).map(({ path, kind, inner }) => [
    path.join('/'),
    inner ? `(${kind})` : kind,
  ])

test('two equal trees do not differ, whatever the order of their keys [C-21]', () => {
  expect(told({ a: 1, b: { c: [1, 2] } }, { b: { c: [1, 2] }, a: 1 })).toEqual([])
})

test('what differs is told with the places above it [C-21]', () => {
  const first = { type: 'datamodel', properties: { a: { mode: 'R' }, b: { mode: 'R' } } }
  const second = { type: 'datamodel', properties: { a: { mode: 'RW' }, c: 1 } }
  expect(told(first, second)).toEqual([
    ['properties', '(changed)'],
    ['properties/a', '(changed)'],
    ['properties/a/mode', 'changed'],
    ['properties/b', '(first)'],
    ['properties/b/mode', 'first'],
    ['properties/c', 'second'],
  ])
  expect(changeCount(diffRows(first, second))).toBe(3)
})

test('a tree beside nothing is all there is on one side', () => {
  expect(told({ a: 1 }, null)).toEqual([['a', 'first']])
  expect(told('', { a: {} })).toEqual([['a', 'second']])
  expect(diffRows(null, undefined)).toEqual([])
})
