import { expect, test } from 'vitest'
import { offsetOf, positionAt, readJson } from './json-places.ts'

const text = '{\n  "type": "object",\n  "properties": {\n    "a": { "tags": ["x", 1] }\n  }\n}'

test('each value has its line and its column', () => {
  const { value, places, mistakes } = readJson(text)
  expect(value).toEqual(JSON.parse(text))
  expect(mistakes).toEqual([])
  const at = (path: string) => positionAt(text, offsetOf(places, path))
  expect(at('')).toEqual({ line: 1, column: 1 })
  expect(at('type')).toEqual({ line: 2, column: 11 })
  expect(at('properties.a.tags.1')).toEqual({ line: 4, column: 26 })
})

test('a missing value is placed at the nearest value around it', () => {
  const { places } = readJson(text)
  expect(positionAt(text, offsetOf(places, 'properties.a.unit'))).toEqual({ line: 4, column: 10 })
  expect(offsetOf(places, 'nothing.at.all')).toBe(0)
})

test.each([
  ['{"a": 1,}', 'key', 8],
  ['{"a" 1}', 'colon', 5],
  ['{"a": 1 "b": 2}', 'comma', 8],
  ['[1, ]', 'value', 4],
  ['{"a": "x', 'text', 6],
  ['{} x', 'end', 3],
  ['', 'value', 0],
  ['{"a": 01}', 'comma', 7],
  ['[1.]', 'value', 1],
  ['[nul, 1]', 'value', 1],
  ['[1 // one\n]', 'comma', 3],
  ['["a\u0001"]', 'text', 1],
  ['{"a": [1', 'comma', 8],
])('%s is refused at its place', (source, rule, offset) => {
  expect(readJson(source).mistakes).toEqual([expect.objectContaining({ rule, offset })])
})

test('a name that is there twice is told, though the last one counts', () => {
  const { value, mistakes } = readJson('{"a": 1, "a": 2}')
  expect(value).toEqual({ a: 2 })
  expect(mistakes).toMatchObject([{ rule: 'twice', offset: 9 }])
})

test('brackets without end do not exhaust the stack', () => {
  const brackets = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  expect(readJson('['.repeat(100_000)).mistakes).toMatchObject([{ rule: 'deep', offset: 501 }])
  expect(readJson('{"a":'.repeat(100_000)).mistakes).toMatchObject([{ rule: 'deep' }])
  expect(readJson(brackets(501)).mistakes).toEqual([])
  expect(readJson(brackets(502)).mistakes).toMatchObject([{ rule: 'deep', offset: 501 }])
})
