import { expect, test } from 'vitest'
import { rawLengths, unknownTokens } from './css-lengths.ts'

test('lengths in px are counted in rules and conditions, not in comments', () => {
  const css = `/* 4px */ @media (max-width: 600px) { .a { padding: 1.5px var(--space-8) -2px } }`
  expect(rawLengths(css)).toBe(3)
  expect(rawLengths('.a { padding: var(--space-8); width: 2em }')).toBe(0)
})

test('a token that is not defined is named', () => {
  const tokens = ':root { --space-8: 8px; --line-1-5: 1.5px }'
  const css = '.a { padding: var(--space-8) var(--space-9); border: var(--line-1-5) solid }'
  expect(unknownTokens(css, tokens)).toEqual(['--space-9'])
})
