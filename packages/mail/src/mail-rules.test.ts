import { expect, test } from 'vitest'
import { nextAttempt, oneAddress, oneLine } from './mail-rules.ts'
import { transportOf } from './transport.ts'

test.each(['a@b.example', ' anna+plant@b.example ', 'müller@b.example', 'o.neil-x@b'])(
  'a mail may go to %j',
  (text) => expect(oneAddress(text)).toBe(text.trim()),
)

test.each([
  '',
  '--',
  'a',
  'a@b@c',
  'a b@c',
  'a@b,c@d',
  'a@b\r\nx',
  '<a@b>',
  '@b',
  'a@',
  'a\u0000@b',
])('no mail goes to %j', (text) => expect(oneAddress(text)).toBeUndefined())

test('a header has one line without control characters', () => {
  expect(oneLine(' a\r\nBcc: x\u0000\u2028b ')).toBe('a Bcc: x b')
  expect(oneLine('x'.repeat(300))).toHaveLength(200)
})

test('attempts come at growing distances and end', () => {
  const now = new Date(0)
  const minutes = Array.from({ length: 9 }, (_, n) => nextAttempt(n + 1, now)?.getTime())
  const known = minutes.filter((one) => one !== undefined)
  expect(known).toEqual(known.toSorted((a, b) => a - b))
  expect(minutes.at(-1)).toBeUndefined()
})

test.each([
  ['smtp://mail.example', { host: 'mail.example', port: 587, secure: false, requireTLS: false }],
  ['smtps://mail.example', { port: 465, secure: true }],
  [
    'smtp://a%40b:p%2Fw@mail.example:25',
    { port: 25, auth: { user: 'a@b', pass: 'p/w' }, requireTLS: true },
  ],
  ['smtp://a:b@localhost:25', { requireTLS: false }],
])('%s is understood', (url, expected) => expect(transportOf(url)).toMatchObject(expected))
