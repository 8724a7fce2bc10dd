import { expect, test } from 'vitest'
import { coerce } from './coerce.ts'
import { decodePayload } from './payload.ts'
import { readRefusal, refusal } from './refusals.ts'

test('a reason is read back in its parts', () => {
  expect(readRefusal(refusal('noValue'))).toEqual([{ code: 'noValue', values: {} }])
  expect(readRefusal(refusal('textTooLong', { length: 70_000, most: 65_536 }))).toEqual([
    { code: 'textTooLong', values: { length: '70000', most: '65536' } },
  ])
  expect(readRefusal('anything else')).toBeUndefined()
})

test.for<[string, string]>([
  ['textExpected', refusal('textExpected')],
  ['notText', refusal('notText', { value: 'v' }).replace('v', '"v"')],
  ['notFinite', refusal('notFinite', { value: '"item 3: x"' })],
])('%s is not taken for another one', ([code, sentence]) => {
  expect(readRefusal(sentence)).toMatchObject([{ code }])
})

test('what decoding and types refuse can be read, with the item that it is about', () => {
  const reasonOf = (answer: { ok: boolean; reason?: string }) => readRefusal(answer.reason ?? '')
  expect(reasonOf(coerce('warm', 'integer'))).toEqual([
    { code: 'notFinite', values: { value: '"warm"' } },
  ])
  expect(reasonOf(coerce([1, 'warm'], 'integerarray'))).toMatchObject([
    { code: 'item', values: { index: '1' } },
    { code: 'notFinite' },
  ])
  expect(reasonOf(coerce({ a: 'x' }, 'struct', { a: 'double' }))).toMatchObject([
    { code: 'field', values: { name: 'a' } },
    { code: 'notFinite' },
  ])
  const codeOf = (text: string) =>
    reasonOf(decodePayload(new TextEncoder().encode(text)))?.[0]?.code
  expect(codeOf('{"v":')).toBe('malformedJson')
  expect(codeOf('12')).toBe('notDecodable')
  expect(codeOf('{"v":1,"t":"x"}')).toBe('timeNotInMs')
})
