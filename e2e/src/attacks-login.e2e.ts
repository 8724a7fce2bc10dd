import { afterAll, expect, test } from 'vitest'
import { createAccountTools, codeOf, earlyInStep } from './attack-account.ts'
import { type Answer, type Ask, type AttackBrowser, send } from './attack-http.ts'
import { ageSessions } from './attack-keys.ts'
import { testMailServer } from './attack-mail.ts'
import {
  attackWorld,
  bearer,
  enter,
  fragmentOf,
  landed,
  loginPage,
  mustBe,
  password,
  type Person,
  redeem,
  type Tokens,
} from './attack-world.ts'

const proxy = '127.0.9.9'
const mail = await testMailServer()
const world = attackWorld({ TRUSTED_PROXIES: proxy }, mail)
afterAll(() => mail.close())
const realm = 'nordwerk'
const { ask, account, forgot, comesIn, withTotp, atCode } = createAccountTools(world)

/** Content of an answer without parts that differ each time. */
function told({ status, text, headers, setCookies }: Answer) {
  const body = text
    .replaceAll(/authenticate\/[\w-]+/g, 'authenticate/…')
    .replaceAll(/challenge&quot;:&quot;[\w-]+/g, 'challenge')
    .replaceAll(/value="[^"]*"/g, 'value')
  const names = Object.keys(headers).filter(
    (name) => !/^(date|content-length|x-ratelimit.*)$/.test(name),
  )
  return { status, body, names, cookies: setCookies.map((line) => line.split('=')[0]) }
}

test('attack 66: a sign-in refused tells nothing about whether the name exists', async () => {
  const known = await world.person('alma')
  await world.person('arno', { email: 'arno@nordwerk.test' })
  const off = await world.person('axel')
  const change = { method: 'PUT', body: { enabled: false } }
  mustBe(200, await world.asOwner(`organizations/${realm}/users/${off.id}`, change))
  const answers = []
  for (const username of [known.username, 'nobody', off.username, 'arno@nordwerk.test', 'a@b.c']) {
    const browser = world.browser()
    const page = await loginPage(browser, ask())
    const sent = await enter(browser, page, { username, password: 'wrong password 12' })
    answers.push(told({ ...sent, text: sent.text.replaceAll(username, '…') }))
    // The account that is off says nothing more to its own password.
    if (username === off.username) {
      const right = await enter(browser, page, { username, password })
      answers.push(told({ ...right, text: right.text.replaceAll(username, '…') }))
    }
  }
  for (const answer of answers) expect(answer).toEqual(answers[0])
})

test('attack 67: registering, a forgotten password, "exists" and an invitation tell nothing about other accounts', async () => {
  await world.person('bea', { email: 'bea@nordwerk.test' })
  const register = (email: string, name: string) =>
    send(world.core('organizations/selfOnBoarding'), {
      from: world.seat(),
      body: { organization: { name }, user: { email, password } },
    })
  const [taken, free] = [
    await register('paola@acqua.test', 'newone'),
    await register('fresh@acqua.test', 'newtwo'),
  ]
  expect(told(taken)).toEqual(told(free))
  expect(free.status).toBe(201)

  const forgotten = []
  for (const name of ['bea', 'nobody', 'bea@nordwerk.test', 'nobody@nordwerk.test', 'paola']) {
    const answer = await forgot(name)
    forgotten.push(told({ ...answer, text: answer.text.replaceAll(name, '…') }))
  }
  for (const answer of forgotten) expect(answer).toEqual(forgotten[0])

  expect((await send(world.core('users/bea/exists'))).status).toBe(401)
  for (const name of ['bea', 'nobody']) {
    const asked = await world.asRival(`users/${name}/exists`)
    expect([name, asked.status, asked.text]).toEqual([name, 200, 'false'])
  }
  const invite = (username: string, email: string, existing = false) =>
    world.asRival('organizations/acqua/users', { body: { username, email, existing } })
  const invited = await invite('bea', 'bea@nordwerk.test')
  expect([invited.status, (await invite('bruno', 'bruno@acqua.test')).status]).toEqual([201, 201])
  const joined = await invite('anna', '', true)
  const unknown = await invite('unknown', '', true)
  expect(joined.status).toBe(unknown.status)
  expect(joined.text.replaceAll('anna', '…')).toBe(unknown.text.replaceAll('unknown', '…'))
})

/** Wrong passwords for a person, each from where `browser` says, until even the right one is refused. */
async function lockOut(who: Person, browser: () => AttackBrowser = () => world.browser()) {
  for (let at = 0; at < 12; at += 1) {
    const one = browser()
    await enter(one, await loginPage(one, ask()), { ...who, password: `wrong ${at} password` })
  }
}

test('attack 68: a locked account stays shut for the right password, with the answer that a wrong one gets', async () => {
  const carla = await world.person('carla')
  const browser = world.browser()
  await lockOut(carla, () => browser)
  const page = await loginPage(browser, ask())
  const right = await enter(browser, page, carla)
  const wrong = await enter(browser, page, { ...carla, password: 'wrong password 1' })
  expect([right.status === 303, told(right)]).toEqual([false, told(wrong)])
  expect(right.setCookies.filter((line) => line.startsWith('_session='))).toEqual([])
  // Unknown names are locked alike.
  await lockOut({ ...carla, username: 'nobody-at-all' }, () => browser)
  const nobody = await enter(browser, page, { username: 'nobody-at-all', password })
  expect(
    told({ ...nobody, text: nobody.text.replaceAll('nobody-at-all', carla.username) }),
  ).toEqual(told(right))
  // The lock is the account's: other people come in.
  expect(await comesIn(await world.person('conny'))).toBe(true)
})

/** One password tried on sixty names from one browser, thirteen at a time. */
async function spray(
  browser: AttackBrowser,
  headersOf: (at: number) => Ask['headers'] = () => ({}),
) {
  const { action, fields } = await loginPage(browser, ask())
  const one = (at: number) => {
    const all = { ...fields, username: `person${at}`, password: 'Summer2026!' }
    return browser.go(action, { body: new URLSearchParams(all), headers: headersOf(at) ?? {} })
  }
  for (let at = 0; at < 60; at += 12) {
    await Promise.all(Array.from({ length: 12 }, (_, more) => one(at + more)))
  }
}

test('attack 69: one password tried on many names shuts that address out, and nobody else', async () => {
  const dana = await world.person('dana')
  const browser = world.browser()
  await spray(browser)
  expect(await comesIn(dana, browser)).toBe(false)
  expect(await comesIn(dana, browser.copy())).toBe(false)
  expect(await comesIn(dana)).toBe(true)
})

test('attack 70: neither many addresses nor a claimed one gets round a lock; an IPv6 /64 is one address', async () => {
  const elsa = await world.person('elsa')
  await lockOut(elsa)
  expect(await comesIn(elsa)).toBe(false)

  // A header that claims another address counts nothing from who is no proxy of ours.
  const emma = await world.person('emma')
  const browser = world.browser()
  const claimed = (at: number) => ({
    'x-forwarded-for': `198.51.100.${at}`,
    'x-real-ip': `198.51.100.${at}`,
  })
  await spray(browser, claimed)
  expect(await comesIn(emma, browser)).toBe(false)

  // Behind the proxy: sixty addresses of one /64 are one, the next /64 is another.
  const behind = (address: string) => ({ 'x-forwarded-for': address })
  const there = world.browser().copy(proxy)
  const seen = await world.asOwner('organizations/myIp', {
    from: proxy,
    headers: behind('2001:db8:1:2::1'),
  })
  expect(seen.text).toContain('2001:db8:1:2::1')
  await spray(there, (at) => behind(`2001:db8:1:1::${(at + 1).toString(16)}`))
  const from = async (address: string) => {
    const one = world.browser().copy(proxy)
    const page = await loginPage(one, ask())
    const { username } = emma
    const body = new URLSearchParams({ ...page.fields, username, password })
    return (await one.go(page.action, { body, headers: behind(address) })).status === 303
  }
  expect(await from('2001:db8:1:1:ffff::9')).toBe(false)
  expect(await from('2001:db8:1:2::1')).toBe(true)
  // What the client itself put before the proxy's part does not count either.
  expect(await from('2001:db8:1:9::1, 2001:db8:1:1::7')).toBe(false)
})

test('attack 71: a code of an authenticator is good once', async () => {
  const { who, secret } = await withTotp('frida')
  await earlyInStep()
  const code = codeOf(secret)
  const first = await atCode(who)
  const done = await first.send(code)
  expect(done.status).toBe(303)
  expect((await landed(first.browser, done)).fragment.has('code')).toBe(true)
  for (const used of [code, codeOf(secret, -1)]) {
    const again = await atCode(who)
    const sent = await again.send(used)
    expect(sent.status).not.toBe(303)
    expect((await again.browser.go(ask({ prompt: 'none' }))).location).toContain('login_required')
  }
  // Two at once: one of them.
  const [one, other] = [await atCode(who), await atCode(who)]
  const next = codeOf(secret, 1)
  const both = await Promise.all([one.send(next), other.send(next)])
  expect(both.filter(({ status }) => status === 303).length).toBe(1)
})

test('attack 72: codes are guessed a few times only, from however many addresses', async () => {
  const { who, secret, recoveryCodes } = await withTotp('greta')
  for (let at = 0; at < 12; at += 1) {
    const right = [-1, 0, 1].map((steps) => codeOf(secret, steps))
    const guess = String((Number(right[0]) + 1 + at * 7919) % 1_000_000).padStart(6, '0')
    const page = await atCode(who).catch(() => undefined)
    if (!page) break
    if (!right.includes(guess)) expect((await page.send(guess)).status).not.toBe(303)
  }
  const last = await atCode(who).catch(() => undefined)
  const opened = last ? (await last.send(codeOf(secret))).status : 0
  expect(opened).not.toBe(303)
  expect(recoveryCodes.length).toBeGreaterThan(0)
})

test('attack 73: the step of the code is not passed by going on to another address', async () => {
  const { who } = await withTotp('heidi')
  const { browser, page, address, verifier } = await atCode(who)
  const uid = new URL(address).pathname.split('/').at(-1) ?? ''
  for (const way of [
    world.at(realm, `auth/${uid}`),
    `${world.at(realm, 'auth')}/${uid}?acr=2`,
    ask({ prompt: 'none' }),
    ask({ prompt: 'none', acr_values: '1' }),
  ]) {
    const { location, status } = await browser.go(way)
    expect([way, fragmentOf(location.includes('#') ? location : '').has('code')]).toEqual([
      way,
      false,
    ])
    expect([way, status < 500]).toEqual([way, true])
  }
  for (const step of [
    '',
    'done',
    'finish',
    'new-totp',
    'new-password',
    'cancel',
    'skip',
    'consent',
  ]) {
    const sent = await browser.post(page.action, {
      step,
      code: '000000',
      password: 'x',
      password2: 'x',
    })
    const { location } = sent.status === 303 ? await landed(browser, sent) : sent
    expect([step, location.includes('code=')]).toEqual([step, false])
  }
  expect((await redeem(world, realm, { code: uid, code_verifier: verifier })).status).toBe(400)
  // The other ways to sign in refuse it too.
  const form = { emi_username: `${who.username}/${realm}`, emi_password: password, ajax: '1' }
  const other = world.browser()
  await other.post(`${world.url()}/manage/access/login`, form)
  expect((await other.go(ask({ prompt: 'none' }))).location).toContain('login_required')
})

test('attack 74: nobody takes an authenticator away, or adds one, with a stolen token of an old or weaker sign-in', async () => {
  const { who, secret, tokens, credential } = await withTotp('ilse')
  // This session began before the authenticator existed, so it has shown a password only.
  const weak = tokens.access_token
  await earlyInStep()
  const page = await atCode(who)
  const back = await landed(page.browser, await page.send(codeOf(secret)))
  const code = back.fragment.get('code') ?? ''
  const strong = await redeem(world, realm, { code, code_verifier: page.verifier })
  mustBe(200, strong)
  const old = strong.json<Tokens>().access_token
  await ageSessions(world.server(), realm, 3600)
  for (const token of [weak, old]) {
    for (const [method, path, body] of [
      ['DELETE', `/credentials/${credential}`, undefined],
      ['POST', '/totp', {}],
      ['POST', '/recovery-codes', {}],
      ['POST', '/passkeys/start', {}],
    ] as const) {
      const { status } = await account(token, path, { method, ...(body && { body }) })
      expect([method, path, [401, 403].includes(status)]).toEqual([method, path, true])
    }
    const core = world.core(`account/credentials/${credential}`)
    const { status } = await send(core, bearer(token, { method: 'DELETE' }))
    expect([401, 403]).toContain(status)
  }
  await atCode(who)
})
