import { expect, test } from 'vitest'
import { isFinal, nextAttempt, oneAddress, oneLine } from './mail-rules.ts'
import { transportOf } from './mail-sender.ts'
import { mailText } from './mail-text.ts'
import type { MailKind } from './mail-words.ts'
import { languages } from '../pages/words.ts'

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

test('a server’s “never” about this mail is final; a refused sign-in there is not', () => {
  expect(isFinal({ responseCode: 550, command: 'RCPT TO' })).toBe(true)
  expect(isFinal({ responseCode: 451, command: 'RCPT TO' })).toBe(false)
  expect(isFinal({ responseCode: 535, command: 'AUTH PLAIN' })).toBe(false)
  expect(isFinal(new Error('ECONNREFUSED'))).toBe(false)
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

const kinds: MailKind[] = [
  'password',
  'invitation',
  'email',
  'emailChanged',
  'registration',
  'registered',
]
test.each(languages.flatMap((language) => kinds.map((kind) => [language, kind] as const)))(
  'in %s the mail %s says everything, safely',
  (language, kind) => {
    const values = {
      origin: 'https://portal.example.org',
      organization: 'Nord & <b>Werk</b>',
      username: 'anna@nordwerk',
      email: 'a@b.example',
    }
    const url = 'https://portal.example.org/x?y=1&z=2'
    const mail = mailText(language, kind, { ...values, ...(kind !== 'emailChanged' && { url }) })
    expect(mail.subject).not.toMatch(/[{}\r\n]/)
    expect(mail.text).not.toMatch(/[{}]|undefined/)
    expect(mail.html).not.toMatch(/undefined|<b>|<script|<img/)
    expect(mail.html).toContain('Nord &amp; &lt;b&gt;Werk')
    if (kind !== 'emailChanged') expect(mail.text).toContain(url)
  },
)
