import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { linkIn, testMailServer } from '@longreach/mail/mail-testing'
import {
  authorizeUrl,
  goodPassword,
  identityTest,
  type IdentityTest,
  locationOf,
  pkce,
  signInTo,
  testBrowser,
} from '../testing.ts'

let server: IdentityTest
let running: { close: () => Promise<void> }
let post: Awaited<ReturnType<typeof testMailServer>>
const hour = 3_600_000

beforeAll(async () => {
  post = await testMailServer()
  server = await identityTest()
  server.site.mail = post.settings
  running = await server.start()
  await server.person('nordwerk', 'anna')
})
afterAll(async () => {
  await running.close()
  await server.close()
  await post.close()
})
beforeEach(() => {
  post.taken.length = 0
  server.clock.aheadMs += 2 * hour
})

const page = () => `${server.origin}/auth/realms/nordwerk/login-actions/reset-credentials`
const forgot = async (username: string, language = 'en') => {
  const answer = await testBrowser().post(`${page()}?kc_locale=${language}`, { username })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
const withMail = (username: string, more = {}) =>
  server.calls.createAccount({
    body: {
      realm: 'nordwerk',
      username,
      email: `${username}@plant.example`,
      password: goodPassword,
      ...more,
    },
  })
const waiting = async () => {
  const { rows } = await server.database.pool.query<{ count: number }>(
    'select count(*)::int from identity.password_request',
  )
  return rows[0]?.count
}
const canSignIn = async (username: string, password: string) => {
  const changes = { code_challenge: pkce().challenge }
  const login = { realm: 'nordwerk', username, password, changes }
  return (await signInTo(server, testBrowser(), login)).status === 303
}

test('from the sign-in page to a new password, by the mail’s link [R-04]', async () => {
  await withMail('berta')
  const browser = testBrowser()
  const changes = { code_challenge: pkce().challenge, kc_locale: 'de' }
  const asked = await browser.go(authorizeUrl(server, 'nordwerk', changes))
  const shown = await (await browser.go(locationOf(asked))).text()
  const way = /href="([^"]*reset-credentials[^"]*)"/.exec(shown)?.[1] ?? ''
  expect(shown).toContain('Passwort vergessen?')
  const form = await (await browser.go(server.origin + way)).text()
  expect(form).toContain('Wir senden einen Link')
  expect((await forgot('berta', 'de')).text).toContain('Prüfen Sie Ihr Postfach')
  const mail = await post.mailTo('berta@plant.example')
  expect(mail.text).toContain('Neues Passwort festlegen')
  const password = 'quiet-harbor-maple-3'
  const saved = await testBrowser().post(linkIn(mail), { password, repeat: password })
  expect(saved.status).toBe(200)
  expect(await canSignIn('berta', password)).toBe(true)
  expect(await canSignIn('berta', goodPassword)).toBe(false)
})

test('the address works like the name, in any case, and all its accounts are written to', async () => {
  await withMail('carl', { email: 'Team@plant.example' })
  await withMail('cora', { email: 'team@plant.example' })
  await forgot('TEAM@plant.example')
  await expect.poll(() => post.taken.length, { timeout: 60_000 }).toBe(2)
  const names = post.taken.map(({ text }) => /for (\w+)@nordwerk/.exec(text)?.[1])
  expect(names.toSorted()).toEqual(['carl', 'cora'])
  // Each goes to the address that its account has, as it is written there.
  expect(post.taken.flatMap(({ to }) => to).toSorted()).toEqual([
    'Team@plant.example',
    'team@plant.example',
  ])
})

test('attack 66: neither the answer nor what is done for it tells whether there is an account', async () => {
  await withMail('dora')
  await withMail('disabled')
  const { sub } = await withMail('noaddress', { email: '' })
  expect(sub).toBeDefined()
  const [off] = await server.calls.findAccount({
    query: { realm: 'nordwerk', username: 'disabled' },
  })
  await server.calls.updateAccount({ params: { sub: off!.sub }, body: { enabled: false } })
  // The worker is stopped, so that what a call itself leaves behind can be counted.
  await running.close()
  const answers = []
  for (const name of ['dora', 'nobody', 'disabled', 'noaddress']) {
    const before = (await waiting()) ?? 0
    const { status, text, headers } = await forgot(name)
    const told = [...headers.keys()].filter((key) => key !== 'date')
    answers.push({ status, told, text: text.replaceAll(name, 'NAME') })
    expect(await waiting()).toBe(before + 1)
  }
  for (const answer of answers) expect(answer).toEqual(answers[0])
  const { rows } = await server.database.pool.query('select * from identity.password_request')
  expect(JSON.stringify(rows)).not.toContain('dora')
  running = await server.start()
  await post.mailTo('dora@plant.example')
  await expect.poll(waiting, { timeout: 60_000 }).toBe(0)
  expect(post.taken).toHaveLength(1)
})

test('attack 67: the same name is mailed three times, then waits, whether it exists or not', async () => {
  await withMail('emil')
  for (const name of ['emil', 'ghost']) {
    for (let n = 0; n < 2; n++) expect((await forgot(name)).status).toBe(200)
    expect((await forgot(` ${name.toUpperCase()}@nordwerk `)).status).toBe(200)
    const refused = await forgot(name)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(refused.text).toContain(`value="${name}"`)
  }
})

test('attack 67: one network asks for so many people, whatever their names', async () => {
  const states = []
  for (let n = 0; n < 22; n++) states.push((await forgot(`spray-${n}`)).status)
  expect(states.filter((status) => status === 200)).toHaveLength(20)
  expect(states.at(-1)).toBe(429)
})

test('attack 75: an address that looks like another gets nothing', async () => {
  await withMail('mike', { email: 'mike@plant.example' })
  await forgot('mıke@plant.example')
  await forgot('mike@plant.example\r\nBcc: spy@evil.example')
  await forgot('mike@plant.example')
  await post.mailTo('mike@plant.example')
  await expect.poll(waiting, { timeout: 60_000 }).toBe(0)
  // Mails of the tests above may still arrive.
  const told = post.taken.flatMap(({ to }) => to).filter((one) => one !== 'emil@plant.example')
  expect(told).toEqual(['mike@plant.example'])
})

test('nothing typed is refused where it is typed, and markup stays text', async () => {
  const empty = await forgot('  ')
  expect(empty.status).toBe(422)
  expect(empty.text).toContain('role="alert"')
  const { text } = await forgot('<img src=x onerror=alert(1)>')
  expect(text).not.toContain('<img')
  expect(text).toContain('&lt;img')
})
