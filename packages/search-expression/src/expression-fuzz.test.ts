import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseExpression } from './expression.ts'

const pieces = `and or not in ( ) [ ] , == != ~= < >= "a" " \\ label attributes.x label.keyword 1 -2.5e3
  true null ' ; -- %`
const words = fc.constantFrom(...pieces.split(/\s+/))
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(words, { maxLength: 30 }).map((parts) => parts.join(' ')),
  fc.array(words, { maxLength: 30 }).map((parts) => parts.join('')),
)

test('any text is an expression, or says what is wrong at a place in it', () => {
  fc.assert(
    fc.property(text, (source) => {
      const parsed = parseExpression(source)
      if (parsed.ok) return
      expect(parsed.message).not.toBe('')
      expect(parsed.at).toBeGreaterThanOrEqual(0)
      expect(parsed.at).toBeLessThanOrEqual(source.length)
    }),
    { numRuns: 5_000 },
  )
})

test.each(['(', 'not ', '((a == 1) and '])('100,000 times %s end in a message', (part) => {
  expect(parseExpression(part.repeat(100_000))).toMatchObject({ ok: false })
})
