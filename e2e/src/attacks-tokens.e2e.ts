import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { createServer } from 'node:http'
import { beforeAll, expect, test } from 'vitest'
import { send } from './attack-http.ts'
import { type Claims, readToken, sealedKeyOf, signed, writeToken } from './attack-keys.ts'
import {
  attackWorld,
  authorizeUrl,
  bearer,
  codeFor,
  everyDoorOpens,
  everyDoorShut,
  callWithToken,
  mustBe,
  pkce,
  redeem,
  refresh,
  ticketOf,
  type Tokens,
} from './attack-world.ts'

const world = attackWorld()
const realm = 'nordwerk'
let anna: Tokens
let paola: Tokens
let key: { jwk: JsonWebKey; kid: string }
beforeAll(async () => {
  anna = (await world.signIn(world.owner)).tokens
  paola = (await world.signIn(world.rival)).tokens
  const certs = await send(world.at(realm, 'certs'))
  const [jwk = {}] = certs.json<{ keys: (JsonWebKey & { kid: string })[] }>().keys
  key = { jwk, kid: String(readToken(anna.access_token).header['kid']) }
})

const pairOfOurs = generateKeyPairSync('rsa', { modulusLength: 2048 })
/** Claims of a token that is good now, as a thief writes them. */
const claims = (changes: Claims = {}): Claims => ({
  ...readToken(anna.access_token).claims,
  ...changes,
})
const header = (changes: Claims = {}): Claims => ({
  ...readToken(anna.access_token).header,
  ...changes,
})
async function expectShut(token: string, why: unknown = token.slice(0, 60)) {
  expect({ why, ...(await callWithToken(world, realm, token)) }).toEqual({ why, ...everyDoorShut })
}

test('attack 0: the doors of every service open for a good token, so that they can be seen shut', async () => {
  expect(await callWithToken(world, realm, anna.access_token)).toEqual(everyDoorOpens)
  await expectShut('', 'nothing')
})

test('attack 1: a token without a signature opens nothing, however "none" is written', async () => {
  const [, , signature = ''] = anna.access_token.split('.')
  for (const alg of ['none', 'None', 'NONE', 'nOnE', '']) {
    for (const end of ['', signature]) {
      await expectShut(
        writeToken(header({ alg }), claims(), () => end),
        `${alg} ${end}`,
      )
    }
  }
})

test('attack 2: the public key is no secret for HS256', async () => {
  const publicKey = createPublicKey({ key: key.jwk, format: 'jwk' })
  const secrets = [
    publicKey.export({ type: 'spki', format: 'pem' }),
    String(publicKey.export({ type: 'spki', format: 'pem' })).trim(),
    publicKey.export({ type: 'pkcs1', format: 'pem' }),
    publicKey.export({ type: 'spki', format: 'der' }),
    JSON.stringify(key.jwk),
    Buffer.from(key.jwk.n ?? '', 'base64url'),
  ]
  for (const secret of secrets) {
    const mac = (input: string) => createHmac('sha256', secret).update(input).digest('base64url')
    await expectShut(writeToken(header({ alg: 'HS256' }), claims(), mac))
  }
})

test('attack 3: a key that the token brings itself counts nothing', async () => {
  const jwk = { ...pairOfOurs.publicKey.export({ format: 'jwk' }), kid: key.kid, alg: 'RS256' }
  for (const kid of [key.kid, 'ours', undefined]) {
    await expectShut(signed(header({ jwk, kid }), claims(), pairOfOurs.privateKey))
  }
})

test('attack 4: nobody fetches keys from where a token says', async () => {
  const fetched: string[] = []
  const jwk = { ...pairOfOurs.publicKey.export({ format: 'jwk' }), kid: 'ours', alg: 'RS256' }
  const ours = createServer((call, answer) => {
    fetched.push(call.url ?? '')
    answer.end(JSON.stringify({ keys: [jwk] }))
  })
  await new Promise<void>((done) => ours.listen(0, '127.0.0.1', done))
  const { port } = ours.address() as { port: number }
  const jku = `http://127.0.0.1:${port}/certs`
  for (const more of [{ jku }, { x5u: jku }, { jku, x5u: jku, kid: key.kid }]) {
    await expectShut(signed(header({ kid: 'ours', ...more }), claims(), pairOfOurs.privateKey))
  }
  const away = claims({ iss: `http://127.0.0.1:${port}/auth/realms/${realm}` })
  await expectShut(signed(header({ kid: 'ours' }), away, pairOfOurs.privateKey))
  expect(fetched).toEqual([])
  await new Promise((done) => ours.close(done))
})

test('attack 5: a key id is a name and nothing else', async () => {
  const kids = [
    '../../../../dev/null',
    '/dev/null',
    "' or '1'='1",
    "x' union select 'key",
    '__proto__',
    'constructor',
    'toString',
    '\u0000',
    '',
    'k'.repeat(4000),
    7,
    null,
    {},
    [key.kid],
  ]
  for (const kid of kids) {
    await expectShut(signed(header({ kid }), claims(), pairOfOurs.privateKey), kid)
    const empty = (input: string) => createHmac('sha256', '').update(input).digest('base64url')
    await expectShut(writeToken(header({ kid, alg: 'HS256' }), claims(), empty), kid)
  }
})

test('attack 6: the right key id does not make a foreign key good', async () => {
  await expectShut(signed(header(), claims(), pairOfOurs.privateKey))
  await expectShut(signed(header({ alg: 'RS512' }), claims(), pairOfOurs.privateKey))
  await expectShut(signed(header({ alg: 'PS256' }), claims(), pairOfOurs.privateKey))
})

test('attack 7: a changed content is noticed', async () => {
  const [first = '', , last = ''] = anna.access_token.split('.')
  const changes = [{ sub: readToken(paola.access_token).claims['sub'] }, { exp: 9e9 }, { acr: '2' }]
  for (const change of changes) await expectShut(writeToken(first, claims(change), () => last))
  await expectShut(`${anna.access_token.slice(0, -8)}AAAAAAAA`)
  await expectShut(anna.access_token.split('.').slice(0, 2).join('.'))
  await expectShut(`${anna.access_token}.${last}`)
})

test('attack 8: an extension that nobody knows refuses the token, though its signature is good', async () => {
  const own = await sealedKeyOf(world.server(), realm)
  await expect(callWithToken(world, realm, signed(header(), claims(), own))).resolves.toEqual(
    everyDoorOpens,
  )
  for (const more of [
    { crit: ['exp'], exp: 1 },
    { crit: ['http://example.org/unknown'], 'http://example.org/unknown': true },
    { crit: [] },
    { crit: 'b64', b64: false },
  ]) {
    await expectShut(signed(header(more), claims(), own), JSON.stringify(more))
  }
})

test('attack 9: an ID token is no access token', async () => {
  await expectShut(anna.id_token)
})

test('attack 10: a refresh token is no access token', async () => {
  await expectShut(anna.refresh_token)
})

test('attack 11: a ticket does not open the account, userinfo or another ticket', async () => {
  const exchanged = await ticketOf(world, realm, anna.access_token)
  expect(exchanged.status).toBe(200)
  const { access_token: ticket } = exchanged.json<Tokens>()
  const { userinfo, account, ticket: another } = await callWithToken(world, realm, ticket)
  expect({ userinfo, account, another }).toEqual({ userinfo: 401, account: 401, another: 401 })
  const password = { currentPassword: world.owner.password, newPassword: 'another 44 kettles' }
  const taken = await send(world.account(realm, '/password'), bearer(ticket, { body: password }))
  expect(taken.status).toBe(401)
})

test('attack 12: tokens, codes and cookies of one realm are nothing in another', async () => {
  const {
    userinfo,
    account,
    ticket,
    core: _,
    ...services
  } = await callWithToken(world, realm, paola.access_token)
  expect({ userinfo, account, ticket }).toEqual({ userinfo: 401, account: 401, ticket: 401 })
  expect(services).toEqual({ mappings: 404, platform: 404, audit: 404 })
  expect((await refresh(world, realm, paola.refresh_token)).status).toBe(400)
  expect((await refresh(world, 'acqua', paola.refresh_token)).status).toBe(200)

  const { fragment, verifier, browser } = await codeFor(world, world.rival)
  const code = fragment.get('code') ?? ''
  expect((await redeem(world, realm, { code, code_verifier: verifier })).status).toBe(400)

  // The cookies, as a thief would carry them over to the other realm's path.
  const cookie = browser
    .cookies()
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
  const silent = { prompt: 'none', code_challenge: pkce().challenge }
  const asked = (where: string) =>
    send(authorizeUrl(world, where, silent), { headers: { cookie }, from: browser.from })
  expect((await asked('acqua')).location).toContain('code=')
  expect((await asked(realm)).location).toContain('error=login_required')
})

test('attack 13: a token for somebody else, or from somebody else, opens no service, though its signature is good', async () => {
  const own = await sealedKeyOf(world.server(), realm)
  const foreign = [
    { aud: 'portal' },
    { aud: ['another', 'portal'] },
    { aud: undefined },
    { aud: '' },
    { iss: `${world.url()}/auth/realms/acqua` },
    { iss: `${world.url()}/auth/realms/${realm}/` },
    { iss: 'https://evil.example/auth/realms/nordwerk' },
    { iss: undefined },
  ]
  for (const change of foreign) {
    await expectShut(signed(header(), claims(change), own), JSON.stringify(change))
  }
})

test('attack 14: a token is good in its time only, and time is a number, though its signature is good', async () => {
  const own = await sealedKeyOf(world.server(), realm)
  const now = Math.floor(Date.now() / 1000)
  const wrong: Claims[] = [
    { exp: now - 60 },
    { exp: 0 },
    { exp: -1 },
    { exp: String(now + 300) },
    { exp: null },
    { exp: undefined },
    { exp: 9e15 },
    { nbf: now + 3600 },
    { nbf: 'soon' },
    { iat: now + 3600, exp: now + 3900 },
    { iat: 'now' },
  ]
  for (const change of wrong) {
    await expectShut(signed(header(), claims(change), own), JSON.stringify(change))
  }
})

test('attack 15: a token in the address opens nothing', async () => {
  const paths = [
    '/svc/core/api/v1/users/mine',
    `/svc/platform/api/v1/organizations/${realm}/devices`,
    `/auth/realms/${realm}/protocol/openid-connect/userinfo`,
    `/auth/realms/${realm}/account`,
  ]
  for (const path of paths) {
    for (const name of ['access_token', 'token', 'authorization', 'bearer_token', 'jwt']) {
      const query = new URLSearchParams({ [name]: anna.access_token })
      const { status } = await send(`${world.url()}${path}?${query}`, {
        headers: { accept: 'application/json' },
      })
      expect([path, name, status]).toEqual([path, name, 401])
    }
  }
})

test('attack 16: two Authorization headers are one bad call, whatever their order', async () => {
  const lines = [`Bearer ${anna.access_token}`, `Bearer ${paola.access_token}`]
  const pairs = [lines, lines.toReversed(), [lines[0] ?? '', lines[0] ?? ''], ['x', lines[0] ?? '']]
  for (const authorization of pairs) {
    for (const path of [
      world.core('users/mine'),
      `${world.url()}/svc/mappings/api/v1/devices?organization=${realm}`,
      world.at(realm, 'userinfo'),
      world.account(realm),
    ]) {
      const { status } = await send(path, { headers: { authorization } })
      expect([path, status]).toEqual([path, 400])
    }
  }
})

test('attack 17: a token of 100 KB and a question for 10 000 rights are refused, and the server goes on', async () => {
  const huge = signed(header(), claims({ name: 'x'.repeat(100_000) }), pairOfOurs.privateKey)
  for (const path of [world.core('users/mine'), world.at(realm, 'userinfo')]) {
    const { status } = await send(path, bearer(huge))
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
  }
  const many = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket',
    audience: 'corvina-platform',
  })
  for (let at = 0; at < 10_000; at += 1) many.append('permission', `nordwerk#iam.devices.r${at}`)
  const asked = await send(world.at(realm, 'token'), bearer(anna.access_token, { body: many }))
  expect(asked.status).toBeGreaterThanOrEqual(400)
  expect(await callWithToken(world, realm, anna.access_token)).toEqual(everyDoorOpens)
})

/** Requests that a person's tokens still open, at every kind of service. */
const openDoors = async (token: string) =>
  Object.entries(await callWithToken(world, realm, token))
    .filter(([, status]) => status === 200)
    .map(([door]) => door)
/** Five seconds are promised; a machine that is busy with other work is given more. */
const shutWithin5s = { timeout: 30_000, interval: 100 }

/** Somebody with the rights of an administrator, by a group of their own; signed in. */
async function engineer(username: string) {
  const list = await world.asOwner(`organizations/${realm}/roles`)
  const { content } = list.json<{ content: { id: number; name: string }[] }>()
  const role = content.find(({ name }) => /admin/i.test(name))
  const person = await world.person(username)
  const group = await world.asOwner(`organizations/${realm}/userGroups`, {
    body: { name: `${username}'s`, membersId: [person.id], rolesId: [role?.id] },
  })
  mustBe(201, group)
  const { tokens, browser } = await world.signIn(person)
  expect(await callWithToken(world, realm, tokens.access_token)).toEqual(everyDoorOpens)
  return { person, tokens, browser, group: group.json<{ id: number }>().id }
}
const user = (person: { id: number }) => `organizations/${realm}/users/${person.id}`

test('attack 18: tokens of a disabled or deleted person open nothing within 5 s, and are not renewed', async () => {
  const disabled = await engineer('dora')
  const deleted = await engineer('egon')
  const change = { method: 'PUT', body: { enabled: false } }
  expect((await world.asOwner(user(disabled.person), change)).status).toBe(200)
  const gone = await world.asOwner(`${user(deleted.person)}/account`, { method: 'DELETE' })
  mustBe(204, gone)
  for (const { person, tokens, browser } of [disabled, deleted]) {
    await expect.poll(() => openDoors(tokens.access_token), shutWithin5s).toEqual([])
    expect((await refresh(world, realm, tokens.refresh_token)).status).toBe(400)
    const silent = authorizeUrl(world, realm, { prompt: 'none', code_challenge: pkce().challenge })
    expect((await browser.go(silent)).location).toContain('error=login_required')
    await expect(codeFor(world, person)).rejects.toThrow()
  }
})

test('attack 19: a token dies within 5 s of signing out, of a new password, and of the loss of a role', async () => {
  const out = await engineer('fanny')
  const query = new URLSearchParams({ id_token_hint: out.tokens.id_token })
  const left = await out.browser.go(`${world.at(realm, 'logout')}?${query}`)
  expect(left.status).toBeLessThan(400)
  await expect.poll(() => openDoors(out.tokens.access_token), shutWithin5s).toEqual([])
  expect((await refresh(world, realm, out.tokens.refresh_token)).status).toBe(400)

  const thief = await engineer('gerd')
  const { tokens: fresh } = await world.signIn(thief.person)
  const body = { currentPassword: thief.person.password, newPassword: 'a gate of 9 copper bars' }
  const changed = await send(
    world.account(realm, '/password'),
    bearer(fresh.access_token, { body }),
  )
  mustBe(204, changed)
  await expect.poll(() => openDoors(thief.tokens.access_token), shutWithin5s).toEqual([])
  expect((await refresh(world, realm, thief.tokens.refresh_token)).status).toBe(400)

  const lowered = await engineer('hanna')
  const membership = `organizations/${realm}/userGroups/${lowered.group}/members/${lowered.person.id}`
  const taken = await world.asOwner(membership, { method: 'DELETE' })
  expect(taken.status).toBeLessThan(300)
  await expect
    .poll(() => openDoors(lowered.tokens.access_token), shutWithin5s)
    .toEqual(['userinfo', 'account', 'ticket', 'core'])
})

test('attack 20: of the tokens that are not for the portal, a ticket opens services only and an ID token nothing (tokens of apps do not exist yet)', async () => {
  const { access_token: ticket } = (await ticketOf(world, realm, anna.access_token)).json<Tokens>()
  const { userinfo, account, ticket: exchange } = await callWithToken(world, realm, ticket)
  expect({ userinfo, account, exchange }).toEqual({ userinfo: 401, account: 401, exchange: 401 })
  expect((await refresh(world, realm, ticket)).status).toBe(400)
  expect((await refresh(world, realm, anna.id_token)).status).toBe(400)
  expect((await refresh(world, realm, anna.access_token)).status).toBe(400)
  await expectShut(anna.id_token)
})
