import { expect, test } from 'vitest'
import {
  expressionPattern,
  foldText,
  likePattern,
  patternTest,
  toLike,
  within,
} from './text-pattern.ts'

const finds = (pattern: string, text: string) =>
  patternTest(expressionPattern(pattern))(foldText(text))

test.each([
  ['.*', '%'],
  ['*', '%'],
  ['', '%%'],
  ['.+', '_%'],
  ['oven', '%oven%'],
  ['o.en', '%o_en%'],
  ['Oven.*', 'oven%'],
  ['Oven*', 'oven%'],
  ['.*1', '%1'],
  ['oven.+1', 'oven_%1'],
  ['^oven', 'oven%'],
  ['oven$', '%oven'],
  ['^oven$', 'oven'],
  ['^$', ''],
  ['^o.*n', 'o%n%'],
  ['a^b$c', '%a^b$c%'],
  ['a+b(c|d)[e]', '%a+b(c|d)[e]%'],
  ['100%_', String.raw`%100\%\_%`],
  ['…', '%...%'],
])('after ~= %j is read as %j', (pattern, like) => {
  const read = toLike(expressionPattern(pattern))
  expect(read.replace('%%', '%')).toBe(like.replace('%%', '%'))
})

test('a list’s search takes dots and signs as they are', () => {
  expect(likePattern('10.0.0.*')).toBe('10.0.0.%')
  expect(likePattern('^a.$')).toBe('%^a.$%')
})

test.each([
  ['.*', '', true],
  ['.+', '', false],
  ['.+', 'x', true],
  ['Ofen.2', 'Öfen2', false],
  ['ofen.2', 'OFEN 2', true],
  ['müller', 'MULLER & co', true],
  ['.', '😀', true],
  ['^.$', '😀', true],
  ['^..$', '😀', false],
  ['^$', 'a', false],
  ['a*b*c', 'axxbxxc', true],
  ['a*b*c', 'axxbxxcx', false],
])('%j in %j: %j', (pattern, text, isFound) => expect(finds(pattern, text)).toBe(isFound))

test('within a longer text a pattern that ends with a percent sign may be followed by more', () => {
  expect(toLike(within(expressionPattern('*100%')))).toBe(String.raw`%100\%%`)
})

// With steps back, each of these would take longer than a life.
const long = 'a'.repeat(8_000)
test.each([
  ['*a'.repeat(2_000), `${long}b`],
  [`${'.*a'.repeat(2_000)}$`, `${long}b`],
  [`${'.+'.repeat(4_000)}b`, long],
  [`${'a.'.repeat(3_000)}b`, long],
  [`^(a+)+$`, `${long}!`],
  [`${'.*.*'.repeat(2_000)}b`, long],
])('a hostile pattern finds nothing in one pass: %#', (pattern, text) => {
  expect(finds(pattern, text)).toBe(false)
})
