import { expect, test } from 'vitest'
import { createRecentValues } from './recent-values.ts'

test('when it is full, the value that was not used for the longest time is removed', () => {
  const values = createRecentValues<string, number>(3)
  for (const [index, key] of ['a', 'b', 'c'].entries()) values.set(key, index)
  expect(values.get('a')).toBe(0)
  values.set('d', 3)
  expect(values.get('b')).toBeUndefined()
  expect([values.get('a'), values.get('c'), values.get('d')]).toEqual([0, 2, 3])
  expect(values.size).toBe(3)
})

test('a value that is set again replaces the one before and counts as used', () => {
  const values = createRecentValues<string, number>(2)
  values.set('a', 1)
  values.set('b', 2)
  values.set('a', 3)
  values.set('c', 4)
  expect(values.get('a')).toBe(3)
  expect(values.get('b')).toBeUndefined()
})

test('values are removed by key, and all at once', () => {
  const values = createRecentValues<string, number>(2)
  values.set('a', 1)
  values.set('b', 2)
  values.delete('a')
  expect([values.get('a'), values.get('b')]).toEqual([undefined, 2])
  values.clear()
  expect(values.size).toBe(0)
})
