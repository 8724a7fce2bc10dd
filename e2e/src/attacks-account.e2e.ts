import { afterAll, expect, test } from 'vitest'
import { createAccountTools } from './attack-account.ts'
import { send } from './attack-http.ts'
import { readToken } from './attack-keys.ts'
import { linkIn, testMailServer } from './attack-mail.ts'
import { attackWorld, bearer, enter, formOf, mustBe, password } from './attack-world.ts'

const mail = await testMailServer()
const world = attackWorld({}, mail)
afterAll(() => mail.close())
const realm = 'nordwerk'
const { ask, account, forgot, forgottenAddress, comesIn, withTotp, atCode } =
  createAccountTools(world)

/** A link for a forgotten password, as it came by mail. */
async function resetLink(username: string) {
  await forgot(username)
  return linkIn(await mail.mailTo(`${username}@nordwerk.test`, /action-token/))
}
/** Set a password on the page of a link. */
async function useLink(link: string, chosen: string, more: Record<string, string> = {}) {
  const browser = world.browser()
  const shown = await browser.go(link)
  const { action, fields } = formOf(shown.text, link)
  const names = [...shown.text.matchAll(/<input[^>]*\bname="([^"]+)"/gs)].map(
    ([, name = '']) => name,
  )
  const typed = names.filter((name) => /password|repeat/i.test(name)).map((name) => [name, chosen])
  const sent = await browser.post(action, { ...fields, ...Object.fromEntries(typed), ...more })
  return { shown, sent, referrer: shown.headers['referrer-policy'] }
}

test('attack 75: a link for a new password is good once, for its account, until the address changes, and tells no other site', async () => {
  const jana = await world.person('jana', { email: 'jana@nordwerk.test' })
  const jill = await world.person('jill', { email: 'jill@nordwerk.test' })
  const link = await resetLink('jana')
  const fresh = 'eleven quiet harbours 5'
  const other = { username: jill.username, sub: jill.sub, user: String(jill.id), account: jill.sub }
  const first = await useLink(link, fresh, other)
  expect([first.shown.status, first.referrer]).toEqual([200, 'no-referrer'])
  expect(first.shown.text).not.toMatch(/(?:src|href)="https?:\/\/(?!localhost)/)
  expect(await comesIn({ ...jana, password: fresh })).toBe(true)
  expect(await comesIn(jana)).toBe(false)
  expect(await comesIn(jill)).toBe(true)

  const again = await useLink(link, 'twelve loud harbours 6')
  expect(again.sent.status).toBeGreaterThanOrEqual(400)
  expect(await comesIn({ ...jana, password: fresh })).toBe(true)

  const late = await resetLink('jill')
  const change = { method: 'PUT', body: { email: 'jill2@nordwerk.test' } }
  mustBe(200, await world.asOwner(`organizations/${realm}/users/${jill.id}`, change))
  await useLink(late, 'thirteen calm harbours 7')
  expect(await comesIn(jill)).toBe(true)
})

test('attack 76: a password is refused when it is endless, common or the name, and means the same in either Unicode form', async () => {
  const karl = await world.person('karl-heinz')
  let current = password
  const { tokens } = await world.signIn(karl)
  const change = (newPassword: string) =>
    account(tokens.access_token, '/password', { body: { currentPassword: current, newPassword } })
  const bad = [
    'x'.repeat(1_000_000),
    'x'.repeat(600),
    'null\u0000byte password',
    '',
    'short',
    'password123456',
    'qwertyuiop',
    '1234567890',
    'karl-heinz',
    'Karl-Heinz',
    'KARL-HEINZ',
    'karl-heinz@nordwerk',
  ]
  for (const one of bad) {
    const { status } = await change(one)
    expect([one.slice(0, 20), status >= 400 && status < 500]).toEqual([one.slice(0, 20), true])
  }
  expect(await comesIn(karl)).toBe(true)
  const composed = 'Grüße aus Köln é 7'.normalize('NFC')
  mustBe(204, await change(composed))
  current = composed
  expect(await comesIn({ ...karl, password: composed.normalize('NFD') })).toBe(true)
  expect(await comesIn({ ...karl, password: composed.normalize('NFC') })).toBe(true)
  expect(await comesIn({ ...karl, password: 'GRÜSSE AUS KÖLN É 7' })).toBe(false)
  const huge = await enter(
    world.browser(),
    { action: forgottenAddress(), fields: {} },
    {
      username: karl.username,
      password: 'x'.repeat(1_000_000),
    },
  )
  expect(huge.status).toBeGreaterThanOrEqual(400)
})

test('attack 77: an address changes only when its new mailbox confirms it; look-alikes get nothing', async () => {
  const lena = await world.person('lena', { email: 'lena@nordwerk.test' })
  const leo = await world.person('leo', { email: 'leo@nordwerk.test' })
  const { tokens } = await world.signIn(leo)
  const profile = async () =>
    (await account(tokens.access_token, '')).json<{ email: string; emailVerified: boolean }>()
  const wanted = [
    'leo+new@evil.test',
    'LENA@nordwerk.test',
    'lena@nordwerk.test',
    'lеna@nordwerk.test',
  ]
  const answers = []
  for (const email of wanted) {
    const answer = await account(tokens.access_token, '', { body: { email, emailVerified: true } })
    answers.push(answer.status)
    const { email: kept, emailVerified } = await profile()
    expect([email, kept, emailVerified]).toEqual([email, 'leo@nordwerk.test', false])
  }
  // Existing and unknown addresses get the same answer.
  expect(answers[2]).toBe(answers[0])
  // The last address that was asked for gets its mail; after that nothing more is on its way.
  await mail.mailTo(wanted.at(-1) ?? '')
  const before = mail.taken.length
  for (const name of [
    'lеna@nordwerk.test',
    'lena+x@nordwerk.test',
    'lena@nordwerk.test.evil.test',
  ]) {
    await forgot(name)
  }
  await forgot('LENA@NORDWERK.TEST')
  await mail.mailTo('lena@nordwerk.test', /action-token/)
  const sentTo = mail.taken.slice(before).flatMap(({ to }) => to)
  expect(
    sentTo.filter((to) => !/^(leo\+new@evil|lena@nordwerk|leo@nordwerk)\.test$/.test(to)),
  ).toEqual([])
  expect(await comesIn(lena)).toBe(true)
  const twin = await world.asOwner(`organizations/${realm}/users`, {
    body: { username: 'LENA', password },
  })
  expect(twin.status).toBe(409)
})

test('attack 78: the account takes names and an address, and nothing else that is sent with them', async () => {
  const maja = await world.person('maja', { email: 'maja@nordwerk.test' })
  const { tokens } = await world.signIn(maja)
  const before = (await account(tokens.access_token, '')).json()
  const more = {
    id: '00000000-0000-4000-8000-000000000000',
    sub: '00000000-0000-4000-8000-000000000000',
    username: 'anna',
    realm: 'acqua',
    enabled: false,
    emailVerified: true,
    email_verified: true,
    requiredActions: [],
    realmRoles: ['admin'],
    groups: ['/admin'],
    attributes: { role: ['admin'] },
    passwordHash: 'x',
    serviceAccount: true,
    constructor: { prototype: { admin: true } },
  }
  await account(tokens.access_token, '', { body: { firstName: 'Maja', ...more } })
  await send(world.core('account'), bearer(tokens.access_token, { method: 'PATCH', body: more }))
  const after = (await account(tokens.access_token, '')).json()
  expect({ ...after, firstName: '' }).toEqual({ ...before, firstName: '' })
  expect(await comesIn(maja)).toBe(true)
})

test('attack 79: people, organizations and devices take no owner, realm or flag that is not theirs to say (licenses and dashboards do not exist yet)', async () => {
  const wish = { sub: 'x', realm: 'acqua', id: 1, enabled: false, roles: ['owner'] }
  const asked = { username: 'nils', password, ...wish }
  const wished = await world.asOwner(`organizations/${realm}/users`, { body: asked })
  mustBe(400, wished)
  for (const field of Object.keys(wish)) expect(wished.text).toContain(`${field}: is not a field`)
  const nils = await world.person('nils')
  const path = `organizations/${realm}/users/${nils.id}`
  const before = (await world.asOwner(path)).json()
  const body = { username: 'anna', sub: world.owner.username, id: 1, realm: 'acqua', createdAt: 0 }
  await world.asOwner(path, { method: 'PUT', body: { ...body, serviceAccount: true } })
  expect((await world.asOwner(path)).json()).toEqual(before)

  const foreign = { resourceId: 'acqua', realmName: 'acqua', id: 1, status: 'DELETED' }
  const refused = await world.asOwner(`organizations/${realm}`, {
    body: { name: 'werk', ...foreign },
  })
  mustBe(400, refused)
  const below = await world.asOwner(`organizations/${realm}`, { body: { name: 'werk' } })
  mustBe(201, below)
  const made = below.json<{ id: number }>()
  expect(made).toMatchObject({ resourceId: 'nordwerk.werk', realmName: realm, status: 'ACTIVE' })
  expect(made.id).not.toBe(1)

  // The administrator of the lower organization cannot give it what only the one above may.
  const roles = await world.asOwner('organizations/nordwerk.werk/roles')
  const { content } = roles.json<{ content: { id: number; name: string }[] }>()
  const rolesId = content.filter(({ name }) => /admin/i.test(name)).map(({ id }) => id)
  const otto = { username: 'otto', password, rolesId }
  mustBe(201, await world.asOwner('organizations/nordwerk.werk/users', { body: otto }))
  const { tokens } = await world.signIn({ realm, ...otto })
  const facts = (await world.asOwner('organizations/nordwerk.werk')).json()
  for (const wish of [
    { dealer: true },
    { resourceId: 'acqua', realmName: 'acqua' },
    { hostname: 'evil.example', allowHostname: true },
    { hasOwnResources: true, userCanAccess: true, status: 'DELETED' },
    { storeEnabled: true },
  ]) {
    const address = world.core('organizations/nordwerk.werk')
    await send(
      address,
      bearer(tokens.access_token, { method: 'PUT', body: { label: 'werk', ...wish } }),
    )
    const now = (await world.asOwner('organizations/nordwerk.werk')).json()
    expect([wish, now]).toEqual([wish, { ...facts, label: 'werk' }])
  }

  const devices = `${world.url()}/svc/mappings/api/v1/devices?organization=nordwerk.werk`
  const device = { label: 'pump', organization: 'acqua', orgResourceId: 'acqua', realm: 'acqua' }
  await send(devices, bearer(tokens.access_token, { body: device }))
  const { tokens: paolas } = await world.signIn(world.rival)
  const theirs = `${world.url()}/svc/mappings/api/v1/devices?organization=acqua`
  expect((await send(theirs, bearer(paolas.access_token))).text).not.toContain('pump')
})

test('attack 80: nobody ends the session or takes away the second factor of another, and "not yours" is "not there"', async () => {
  const victim = await withTotp('petra')
  const attacker = await world.signIn(await world.person('quentin'))
  const session = String(readToken(victim.tokens.access_token).claims['sid'])
  const token = attacker.tokens.access_token
  for (const [foreign, nothing] of [
    [`sessions/${session}`, 'sessions/nobodys-session'],
    [`credentials/${victim.credential}`, 'credentials/00000000-0000-4000-8000-000000000000'],
  ] as const) {
    for (const base of [world.account(realm), world.core('account')]) {
      const remove = (what: string) => send(`${base}/${what}`, bearer(token, { method: 'DELETE' }))
      const [theirs, none] = [await remove(foreign), await remove(nothing)]
      expect([foreign, theirs.status, theirs.text]).toEqual([foreign, none.status, none.text])
      expect([204, 404]).toContain(theirs.status)
    }
  }
  expect((await account(victim.tokens.access_token, '')).status).toBe(200)
  await atCode(victim.who)
})

test('attack 81: the administration of identity takes no token of a person, not even the owner’s', async () => {
  const { tokens } = await world.signIn(world.owner)
  const person = await world.person('rita')
  const admin = `${world.url()}/auth/admin/realms`
  const house = `${world.url()}/auth/internal`
  const calls: [string, string, object?][] = [
    ['GET', `${admin}/${realm}/users`],
    ['GET', `${admin}/${realm}/users/${person.sub}`],
    ['POST', `${admin}/${realm}/users`, { username: 'mallory' }],
    ['PUT', `${admin}/${realm}/users/${person.sub}`, { enabled: false }],
    ['DELETE', `${admin}/${realm}/users/${person.sub}`],
    ['PUT', `${admin}/${realm}/users/${person.sub}/reset-password`, { value: 'x' }],
    ['POST', `${admin}/${realm}/users/${person.sub}/impersonation`, {}],
    ['POST', `${admin}/${realm}/users/${person.sub}/logout`, {}],
    ['GET', `${house}/accounts/${person.sub}`],
    ['PATCH', `${house}/accounts/${person.sub}`, { password: 'x' }],
    ['DELETE', `${house}/accounts/${person.sub}`],
    ['POST', `${house}/accounts/${person.sub}/one-time-link`, { handOver: true }],
    ['POST', `${house}/accounts/${person.sub}/impersonation`, { by: { sub: 'x', username: 'x' } }],
    ['POST', `${house}/realms`, { name: 'mallory' }],
    ['PUT', `${house}/administration-clients/corvina-core-keycloak-admin-client`, {}],
    ['POST', world.core('internal/setup-token'), {}],
  ]
  for (const [method, address, body] of calls) {
    for (const token of [tokens.access_token, tokens.id_token, tokens.refresh_token, '']) {
      const { status } = await send(address, bearer(token, { method, ...(body && { body }) }))
      expect([method, address, [401, 403, 404].includes(status)]).toEqual([method, address, true])
    }
  }
  const secrets = ['', 'corvina-core-keycloak-admin-client', 'secret', 'admin']
  for (const client_secret of secrets) {
    const answer = await send(world.at('master', 'token'), {
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'corvina-core-keycloak-admin-client',
        client_secret,
      }),
    })
    expect([400, 401, 404]).toContain(answer.status)
  }
  expect(await comesIn(person)).toBe(true)
})

test('attack 82: the form login takes a name of its own domain only, shares the lock, and no other site sends it', async () => {
  const sven = await world.person('sven')
  const doors = ['/manage/access/login', '/svc/identity/access/login'].map(
    (path) => world.url() + path,
  )
  const login = (door: string, name: string, browser = world.browser(), headers = {}) =>
    browser.go(door, {
      headers,
      body: new URLSearchParams({ emi_username: name, emi_password: sven.password, ajax: '1' }),
    })
  for (const door of doors) {
    expect((await login(door, 'sven/nordwerk')).status).toBe(200)
    const wrong = ['sven/acqua', 'sven/', 'sven', '/nordwerk', 'sven/nordwerk/acqua', 'a/b/c']
    const answers = []
    for (const name of [...wrong, 'sven/master', 'sven/__proto__', 'sven/../nordwerk', '']) {
      const answer = await login(door, name)
      expect([name, answer.status >= 400 && answer.status < 500]).toEqual([name, true])
      expect([name, answer.setCookies]).toEqual([name, []])
      answers.push(`${answer.status} ${answer.text}`)
    }
    expect(new Set(answers).size).toBe(1)
    for (const origin of ['http://evil.example', 'null']) {
      const browser = world.browser()
      const answer = await login(door, 'sven/nordwerk', browser, { origin })
      expect([origin, answer.status]).toEqual([origin, 403])
      expect((await browser.go(ask({ prompt: 'none' }))).location).toContain('login_required')
    }
  }
  const tina = await world.person('tina')
  const fields = { emi_username: 'tina/nordwerk', emi_password: 'wrong password 3', ajax: '1' }
  for (let at = 0; at < 12; at += 1) await world.browser().post(doors[at % 2] ?? '', fields)
  expect(await comesIn(tina)).toBe(false)
  const right = { ...fields, emi_password: tina.password }
  expect((await world.browser().post(doors[0] ?? '', right)).status).toBeGreaterThanOrEqual(400)
})
