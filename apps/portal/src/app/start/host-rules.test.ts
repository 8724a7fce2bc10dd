import { expect, test } from 'vitest'
import { hostedAddress, loginQuestion } from './host-rules.ts'
import { emptyRegistration, registrationOf, shortName } from '../sign-in/register-rules.ts'

const origin = 'https://portal.example.org'
const hosted = { realmName: 'nordwerk', organization: 'nordwerk.press', origin, mayStay: true }
const at = (href: string) => ({ href, origin: new URL(href).origin })

test.each([
  [
    'https://press.example.org/devices?tab=1',
    true,
    `${origin}/devices?tab=1&org=nordwerk.press&realm=nordwerk`,
  ],
  ['https://press.example.org/?org=acqua', true, `${origin}/?org=acqua&realm=nordwerk`],
  [`${origin}/devices`, false, `${origin}/devices?org=nordwerk.press`],
  [`${origin}/?org=nordwerk#code=1&state=2`, false, `${origin}/?org=nordwerk#code=1&state=2`],
  [
    'https://press.portal.example.org/devices',
    false,
    'https://press.portal.example.org/devices?org=nordwerk.press',
  ],
  ['http://press.portal.example.org/', true, `${origin}/?org=nordwerk.press&realm=nordwerk`],
  ['https://a.b.portal.example.org/', true, `${origin}/?org=nordwerk.press&realm=nordwerk`],
  ['https://evilportal.example.org/', true, `${origin}/?org=nordwerk.press&realm=nordwerk`],
  ['https://press.example.org//evil.example/', true, `${origin}//evil.example/?`],
])('the host of an organization leads from %s on, leaving: %s [T-01]', (href, leave, address) => {
  const found = hostedAddress(at(href), hosted)
  expect(found.leave).toBe(leave)
  expect(found.address.startsWith(address)).toBe(true)
  expect(new URL(found.address, origin).origin).toBe(leave ? origin : at(href).origin)
})

test('the address may name the host to sign in for, which does not stay in it [T-01]', () => {
  const named = 'corvina-login-hostname=press.portal.example.org'
  const hostname = 'portal.example.org'
  const realms = { asked: undefined, remembered: 'acqua' }
  for (const search of ['', '?corvina-login-hostname=']) {
    const own = { hostname, realm: 'acqua', name: undefined }
    expect(loginQuestion({ hostname, search }, realms)).toEqual(own)
  }
  const asked = loginQuestion({ hostname, search: '' }, { ...realms, asked: 'nordwerk' })
  expect(asked).toEqual({ hostname, realm: 'nordwerk', name: 'nordwerk' })
  const press = 'press.portal.example.org'
  const found = loginQuestion({ hostname, search: `?x=1&${named}` }, realms)
  expect(found).toEqual({ hostname: press, realm: undefined, name: press })
  expect(hostedAddress(at(`${origin}/devices?${named}&tab=1`), hosted)).toEqual({
    leave: false,
    address: `${origin}/devices?tab=1&org=nordwerk.press`,
  })
})

test.each([
  ['Müller & Söhne GmbH', 'muller-sohne-gmbh'],
  ['  Straße 7 ', 'strasse-7'],
  ['日本', ''],
  ['x'.repeat(80), 'x'.repeat(63)],
])('%s is called %s for short', (label, short) => expect(shortName(label)).toBe(short))

test('the user name is sent only where no mail proves an address', () => {
  const values = {
    ...emptyRegistration,
    user: { ...emptyRegistration.user, username: ' mara ', email: ' m@x.example ' },
  }
  const more = { agreements: [], language: 'it' as const }
  expect(registrationOf(values, { ...more, mail: true }).user).not.toHaveProperty('username')
  expect(registrationOf(values, { ...more, mail: false }).user).toMatchObject({
    username: 'mara',
    email: 'm@x.example',
  })
})
