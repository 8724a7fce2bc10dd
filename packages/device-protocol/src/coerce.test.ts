import { expect, test } from 'vitest'
import { coerce, longestText } from './coerce.ts'
import type { LeafType, Value } from './value.ts'

const good: [Value, LeafType, Value][] = [
  [21, 'double', 21],
  [21.5, 'double', 21.5],
  ['21.5', 'double', 21.5],
  [31.9, 'integer', 31],
  [-31.9, 'integer', -31],
  [-0.2, 'integer', 0],
  [true, 'integer', 1],
  [0, 'boolean', false],
  [2, 'boolean', true],
  ['TRUE', 'boolean', true],
  ['false', 'boolean', false],
  [1.5, 'string', '1.5'],
  [true, 'string', 'true'],
  [[1, 2.9], 'integerarray', [1, 2]],
  ['[1.5,2]', 'doublearray', [1.5, 2]],
  [[1, 'false'], 'booleanarray', [true, false]],
  ['AQI=', 'binaryblob', new Uint8Array([1, 2])],
  [new Uint8Array([3]), 'bytestring', new Uint8Array([3])],
]
test.each(good)('%j as %s is %j [C-20]', (value, type, wanted) => {
  expect(coerce(value, type)).toEqual({ ok: true, value: wanted })
})

const bad: [Value | null, LeafType][] = [
  [null, 'double'],
  [NaN, 'double'],
  [Infinity, 'double'],
  [-Infinity, 'integer'],
  [NaN, 'boolean'],
  ['12abc', 'double'],
  ['', 'integer'],
  ['NaN', 'double'],
  [{ a: 1 }, 'double'],
  [2 ** 31, 'integer'],
  [-(2 ** 31) - 1, 'integer'],
  ['yes', 'boolean'],
  [[1], 'string'],
  ['x'.repeat(longestText + 1), 'string'],
  [1, 'integerarray'],
  ['{"a":1}', 'doublearray'],
  [[1, NaN], 'doublearray'],
  ['!!', 'binaryblob'],
  [1, 'struct'],
]
test.each(bad)('%j as %s is refused with a reason [C-20]', (value, type) => {
  expect(coerce(value, type)).toEqual({ ok: false, reason: expect.any(String) as string })
})

test('a struct is coerced field by field, and fields may be missing', () => {
  const fields = { a: 'integer', b: 'double' } as const
  expect(coerce({ a: 1.5 }, 'struct', fields)).toEqual({ ok: true, value: { a: 1 } })
  expect(coerce({ a: null }, 'struct', fields)).toEqual({ ok: true, value: { a: null } })
  expect(coerce({}, 'struct', fields)).toEqual({ ok: true, value: {} })
  expect(coerce({ a: 'x' }, 'struct', fields)).toMatchObject({
    reason: expect.stringContaining('field a') as string,
  })
  expect(coerce({ c: 1 }, 'struct', fields)).toMatchObject({
    reason: expect.stringContaining('"c"') as string,
  })
  expect(coerce(JSON.parse('{"__proto__":1}') as Value, 'struct', fields)).toMatchObject({
    ok: false,
  })
})
