import { networkOf } from '@longreach/kit/network-of'
import { expect, test } from 'vitest'
import { localName, qualifiedName } from '@longreach/kit/person-name-rules'
import { isDead, nextKeyAt, signingKey } from './realms/key-rules.ts'
import { accountLimit, attempt, type Failures } from './sign-in/lockout-rules.ts'
import { passwordFault } from './passwords/password-rules.ts'
import { inWireOrder, organizationsIn, withStandardScopes } from './tokens/scope-rules.ts'
import { isBelow } from './clients/redirect-rules.ts'
import { grantedPermissions, wantedPermissions } from './protocol/ticket-rules.ts'
import { languages, words } from './pages/words.ts'

test('every language says everything, with the same gaps to fill', () => {
  const gaps = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([gap]) => gap).toSorted()
  for (const language of languages) {
    expect(Object.keys(words[language]).toSorted()).toEqual(Object.keys(words.en).toSorted())
    for (const [word, english] of Object.entries(words.en)) {
      const text = words[language][word as keyof typeof words.en]
      expect([language, word, gaps(text)]).toEqual([language, word, gaps(english)])
      expect(text.trim()).not.toBe('')
    }
  }
})

test('translations are no copies of the English', () => {
  for (const language of languages.slice(1)) {
    const same = Object.entries(words[language]).filter(
      ([word, text]) => text === words.en[word as keyof typeof words.en],
    )
    expect(same.map(([word]) => word)).toEqual(language === 'it' ? ['password'] : [])
  }
})

test.each([
  ['short', 'too_short'],
  ['x'.repeat(513), 'too_long'],
  ['anna.schmidt1', 'like_name'],
  ['Anna.Schmidt1@nordwerk', 'like_name'],
  ['1234567', 'too_short'],
  ['ﬁﬁﬁﬁﬁ', 'common'],
  ['lake\u0000anvil', 'unprintable'],
  ['Welcome1!', 'common'],
  ['sommer2026', 'common'],
  ['kranich7', undefined],
  ['PasswordPassword', 'common'],
  ['password1234', 'common'],
  ['!!letmeinletmein99', 'common'],
  ['121212121212', 'common'],
  ['abcdefghijkl', 'common'],
  ['987654321098', 'common'],
  ['lake-anvil-violet', undefined],
  ['Tischlampe grün 4', undefined],
] as const)('the password %s is judged %s', (password, fault) => {
  expect(passwordFault(password, 'anna.schmidt1')).toBe(fault)
})

test('waiting grows from a minute to a quarter of an hour and is forgotten after half a day', () => {
  let state: Failures | undefined
  let now = new Date('2026-01-05T12:00:00Z')
  const waits: number[] = []
  for (let n = 0; n < 12; n++) {
    const decision = attempt(state, accountLimit, now)
    if (!decision.allowed) throw new Error('waited long enough')
    state = decision.after
    const waitMs = Math.max(0, state.lockedUntil.getTime() - now.getTime())
    waits.push(waitMs / 60_000)
    now = new Date(now.getTime() + waitMs)
  }
  expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 15, 15, 15, 15])
  const tomorrow = new Date(now.getTime() + 13 * 3_600_000)
  expect(attempt(state, accountLimit, tomorrow)).toMatchObject({ after: { failures: 1 } })
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('names lose their realm and their case, mail addresses stay', () => {
  expect(localName(' Anna@Nordwerk ', 'nordwerk')).toBe('anna')
  expect(localName('anna@x.example', 'nordwerk')).toBe('anna@x.example')
  expect(localName('@nordwerk', 'nordwerk')).toBe('@nordwerk')
  expect(qualifiedName('anna', 'nordwerk')).toBe('anna@nordwerk')
  expect(qualifiedName('anna@x.example', 'nordwerk')).toBe('anna@x.example')
})

test('scopes name organizations and stand in the order that clients in the field read', () => {
  expect(withStandardScopes('openid org:a')).toBe('openid profile email org:a')
  expect(inWireOrder('openid profile email org:a')).toBe('openid org:a profile email')
  expect(organizationsIn('openid org:* org:a.b app:* xorg:c')).toEqual(['a.b'])
})

test('a ticket wish is taken apart, and each wish must get something', () => {
  expect(wantedPermissions(['a#iam.devices.read,iam.alarms.ack', 'b'])).toEqual([
    { organization: 'a', scopes: ['iam.devices.read', 'iam.alarms.ack'] },
    { organization: 'b', scopes: [] },
  ])
  expect(wantedPermissions(Array.from({ length: 21 }, () => 'a'))).toBe('invalid_request')
  expect(wantedPermissions([`a#${','.repeat(8_000)}`])).toBe('invalid_request')
  const held = new Map([['a', [{ rsid: '1', rsname: 'a', scopes: ['iam.devices.read'] }]]])
  expect(
    grantedPermissions([{ organization: 'a', scopes: ['iam.alarms.ack'] }], held),
  ).toBeUndefined()
  expect(grantedPermissions([{ organization: 'b', scopes: [] }], held)).toBeUndefined()
})

test('keys follow each other: one signs, its successor is made a day ahead, the dead are told', () => {
  const at = (days: number) => new Date(Date.UTC(2026, 0, 1) + days * 86_400_000)
  const keys = [{ activeAt: at(0) }, { activeAt: at(90) }]
  expect(signingKey(keys, at(89))).toBe(keys[0])
  expect(signingKey(keys, at(90))).toBe(keys[1])
  expect(nextKeyAt([], at(5))).toEqual(at(5))
  expect(nextKeyAt(keys.slice(0, 1), at(88))).toBeUndefined()
  expect(nextKeyAt(keys.slice(0, 1), at(89))).toEqual(at(90))
  expect(nextKeyAt(keys.slice(0, 1), at(200))).toEqual(at(201))
  expect(isDead({ activeAt: at(0) }, keys, at(91))).toBe(false)
  expect(isDead({ activeAt: at(0) }, keys, at(93))).toBe(true)
  expect(isDead({ activeAt: at(90) }, keys, at(900))).toBe(false)
})

test('a redirect address brings no answer of its own, in its query or its fragment', () => {
  const origin = 'https://portal.example'
  for (const good of ['/', '/#', '/devices?tab=code', '/#/devices?tab=1', '/#section']) {
    expect([good, isBelow(origin + good, origin)]).toEqual([good, true])
  }
  for (const bad of ['/?code=1', '/#code=A&state=b', '/#/x?code=A', '/#x&state=b', '/#?error=e']) {
    expect([bad, isBelow(origin + bad, origin)]).toEqual([bad, false])
  }
})
