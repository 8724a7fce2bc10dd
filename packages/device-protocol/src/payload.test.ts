import { Binary, deserialize, Long, serialize } from 'bson'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCommon } from './common-payload.ts'
import { decodePayload, encodeBson, encodeJson } from './payload.ts'

const at = Date.parse('2026-11-21T08:07:31.907Z')
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
const time = () => {
  const eight = Buffer.alloc(8)
  eight.writeBigInt64LE(BigInt(at))
  return eight.toString('hex')
}

test('an integer with its time is read byte for byte [C-20]', () => {
  const message = bytes(`17000000 107600 1F000000 097400 ${time()} 00`)
  expect(decodeCommon(message)).toEqual({ ok: true, v: 31, t: at })
  expect(decodePayload(message)).toEqual({ ok: true, v: 31, t: at })
  expect(Buffer.from(encodeBson({ v: 31, t: at })).equals(message)).toBe(true)
})

test('the report before any configuration is the text of two quotes', () => {
  const message = bytes(`1A000000 027600 03000000 222200 097400 ${time()} 00`)
  expect(decodePayload(message)).toEqual({ ok: true, v: '""', t: at })
})

test('JSON is recognized in both key orders', () => {
  expect(decodePayload(Buffer.from('{"t":1795248391752,"v":229}'))).toEqual({
    ok: true,
    v: 229,
    t: 1795248391752,
  })
  expect(decodePayload(Buffer.from('{"v":[1,2.5],"t":5}'))).toEqual({ ok: true, v: [1, 2.5], t: 5 })
  expect(decodePayload(Buffer.from(encodeJson({ v: 'a', t: 5 })))).toEqual({
    ok: true,
    v: 'a',
    t: 5,
  })
})

test('a BSON document whose length looks like the beginning of JSON is read as BSON', () => {
  const message = encodeBson({ v: 'x'.repeat(0x227b - 24), t: at })
  expect(Buffer.from(message.subarray(0, 2)).toString()).toBe('{"')
  expect(decodePayload(message)).toMatchObject({ ok: true, t: at })
})

test('an empty payload, a null and a document without v unset the tag', () => {
  expect(decodePayload(new Uint8Array())).toEqual({ ok: true, v: null })
  expect(decodePayload(Buffer.from('{"v":null,"t":1}'))).toEqual({ ok: true, v: null, t: 1 })
  expect(decodePayload(serialize({ t: new Date(1) }))).toEqual({ ok: true, v: null, t: 1 })
  expect(decodePayload(encodeBson({ v: null, t: 1 }))).toEqual({ ok: true, v: null, t: 1 })
})

test('structs, arrays, bytes and dates come as plain values, dates as ms', () => {
  const v = { a: 1, b: [1.5, { c: true }], d: new Date(7), e: new Binary(Buffer.from([1, 2])) }
  expect(decodePayload(serialize({ v, t: new Date(3) }))).toEqual({
    ok: true,
    v: { a: 1, b: [1.5, { c: true }], d: 7, e: new Uint8Array([1, 2]) },
    t: 3,
  })
})

test('a field called __proto__ stays a field', () => {
  const decoded = decodePayload(Buffer.from('{"v":{"__proto__":{"x":1}}}'))
  expect(decoded.ok && Object.keys(decoded.v as object)).toEqual(['__proto__'])
  expect(({} as { x?: number }).x).toBeUndefined()
})

test.each([
  ['random bytes', bytes('0102030405060708')],
  ['a cut document', encodeBson({ v: 1, t: 1 }).subarray(0, 20)],
  ['a wrong length', bytes(`18000000 107600 1F000000 097400 ${time()} 00`)],
  ['a text without its end', bytes('11000000 027600 05000000 4141414141 00')],
  ['a text that is not UTF-8', bytes('0F000000 027600 03000000 FFFF00 00')],
  ['a boolean that is neither', bytes('09000000 087600 07 00')],
  ['JSON that stops', Buffer.from('{"v":1')],
  ['JSON with NaN', Buffer.from('{"v":NaN}')],
  ['a JSON array', Buffer.from('[1]')],
  ['a time that is text of no time', Buffer.from('{"v":1,"t":"soon"}')],
  ['a time that is an object', Buffer.from('{"v":1,"t":{}}')],
  ['an integer beyond 53 bits', serialize({ v: Long.MAX_VALUE })],
  ['100 000 nested documents', Buffer.from(`{"v":${'['.repeat(1e5)}${']'.repeat(1e5)}}`)],
])('%s is refused with a reason [C-20]', (_, message) => {
  const decoded = decodePayload(message)
  expect(decoded).toEqual({ ok: false, reason: expect.any(String) as string })
})

const scalar = fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.string({ unit: 'grapheme' }))

test('the quick reader agrees with the general one about every common document', () => {
  fc.assert(
    fc.property(scalar, fc.option(fc.date({ noInvalidDate: true })), (v, date) => {
      const message = serialize({ v, ...(date && { t: date }) })
      const general = deserialize(message) as { v: unknown; t?: Date }
      expect(decodeCommon(message)).toEqual({
        ok: true,
        v: general.v,
        ...(general.t && { t: general.t.getTime() }),
      })
    }),
    { numRuns: 2_000 },
  )
})

test('no bytes make the reader throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (noise) => {
      const framed = Uint8Array.from([...noise, 0, 0, 0, 0, 0])
      new DataView(framed.buffer).setInt32(0, framed.length, true)
      expect(decodePayload(noise).ok).toBeTypeOf('boolean')
      expect(decodePayload(framed).ok).toBeTypeOf('boolean')
    }),
    { numRuns: 5_000 },
  )
})

test('a message of more values than are taken is refused before it is read, and a long one is not', () => {
  const told = (inner: string) => decodePayload(Buffer.from(`{"v":[${inner}`))
  const reason = 'over 250000 values'
  // Malformed JSON as well: the count is checked before parsing.
  expect(told('{},'.repeat(170_000))).toEqual({ ok: false, reason })
  expect(told('1,'.repeat(260_000))).toEqual({ ok: false, reason })
  expect(told(`${'1,'.repeat(249_900)}1]}`)).toMatchObject({ ok: true })
  expect(told(`"${'[,{\\"'.repeat(200_000)}"]}`)).toMatchObject({ ok: true })
})
