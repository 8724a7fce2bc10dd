import fc from 'fast-check'
import { expect, test } from 'vitest'
import { patternOfRegExp, readPattern, regExpOf } from './model-path.ts'
import { coversPaths } from './path-cover.ts'
import { isInTrie, trieOf } from './path-trie.ts'

const anyPattern = fc
  .array(fc.constantFrom('a', 'b', 'z[0]', 'z[*]', 'M:1', 'M:*', '*', '**'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((segments) => segments.join('/'))
const anyPatterns = fc.array(anyPattern, { maxLength: 3 })
const anyPath = fc
  .array(fc.constantFrom('a', 'b', 'c', 'z[0]', 'z[1]', 'M:1', 'M:2'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((segments) => segments.join('/'))
const matches = (patterns: readonly string[], path: string) => isInTrie(trieOf(patterns), path)

test.each([
  ['Oven:1/zones[0]/temperature', 'Oven:1/zones[0]/temperature', true],
  ['Oven:1/zones[*]/temperature', 'Oven:1/zones[12]/temperature', true],
  ['Oven:1/zones[*]/temperature', 'Oven:1/zones/temperature', false],
  ['Oven:*/speed', 'Oven:2/speed', true],
  ['Oven:*/speed', 'Ovens:2/speed', false],
  ['Oven:1/*', 'Oven:1/speed', true],
  ['Oven:1/*', 'Oven:1/a/b', false],
  ['Oven:1/**', 'Oven:1', true],
  ['**/temperature', 'Oven:1/a/b/temperature', true],
  ['**/temperature', 'Oven:1/a/b/temperatures', false],
  ['a/**/b/**/c', 'a/x/b/c', true],
])('%s and %s: %s [A-03 in part]', (pattern, path, expected) => {
  expect(readPattern(pattern)).toEqual({ ok: true, pattern })
  expect(matches([pattern], path)).toBe(expected)
})

test.each([
  ['', 'empty'],
  ['/a', 'empty'],
  ['a//b', 'empty'],
  ['a/temp*', 'whole segment'],
  ['a[*][0]', 'mixes'],
  ['a\u0000', 'control'],
  ['a/'.repeat(40) + 'a', '32'],
  ['a'.repeat(501), '500'],
])('%j is no pattern', (text, why) => {
  const read = readPattern(text)
  expect(!read.ok && read.message).toContain(why)
})

test('what the regular expression of a pattern means is the pattern again [C-11]', () => {
  fc.assert(
    fc.property(anyPattern, (text) => {
      const read = readPattern(text)
      if (!read.ok) throw new Error(read.message)
      const { pattern } = read
      expect(patternOfRegExp(regExpOf(pattern))).toEqual({ ok: true, pattern })
    }),
  )
})

test.each(['(a+)+$', 'a|b', '[a-z]/b', 'a{2}', 'a/b?', '.*a', '(?=x)', '\\w+'])(
  '%s is more than segments can say [C-11]',
  (text) => expect(patternOfRegExp(text).ok).toBe(false),
)

test('patterns cover others exactly when no path escapes them', () => {
  fc.assert(
    fc.property(
      anyPatterns,
      anyPatterns,
      fc.array(anyPath, { minLength: 40 }),
      (wide, narrow, paths) => {
        const covered = coversPaths(wide, narrow)
        const escaped = paths.filter((path) => matches(narrow, path) && !matches(wide, path))
        if (covered) expect(escaped).toEqual([])
      },
    ),
    { numRuns: 500 },
  )
  expect(coversPaths(['a/**'], ['a', 'a/b', 'a/*/c', 'a/**'])).toBe(true)
  expect(coversPaths(['*', '*/*'], ['a', 'a/*', 'z[*]/M:*'])).toBe(true)
  expect(coversPaths(['z[*]'], ['z[3]'])).toBe(true)
  expect(coversPaths(['z[3]'], ['z[*]'])).toBe(false)
  expect(coversPaths(['a/*'], ['a/**'])).toBe(false)
  expect(coversPaths(['**/a', '**/b'], ['**/x/a'])).toBe(true)
  expect(coversPaths(['a/*/c'], ['a/*/*'])).toBe(false)
})

test('many stars cost no more than the path is long [C-11]', () => {
  const greedy = Array.from({ length: 15 }, () => '**/a').join('/')
  const path = Array.from({ length: 2_000 }, () => 'a').join('/')
  expect(matches([greedy], `${path}/b`)).toBe(false)
  expect(matches([greedy], path)).toBe(true)
})
