import { expect, test } from 'vitest'
import { otherBreakpoints, rawLengths, unknownTokens } from './css-lengths.ts'

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

test('a width of the window that is none of the three is named, one of a container is not', () => {
  const css = `@media (max-width: 37.5em) { .a { b: c } } @media (width > 760px) { .a { b: d } }
/* @media (max-width: 800px) */ @container (max-width: 720px) { .a { b: e } } @media print { .a { b: f } }`
  expect(otherBreakpoints(css)).toEqual(['760px'])
})
