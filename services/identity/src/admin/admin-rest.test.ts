import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  authorizeUrl,
  claimsOf,
  fragmentOf,
  identityTest,
  type IdentityTest,
  locationOf,
  pkce,
  redeemCode,
  testBrowser,
  type Tokens,
  tokensFor,
} from '../testing.ts'

let server: IdentityTest
let anna: string
let token: string
const clientId = 'corvina-core-keycloak-admin-client'
const secret = 'a secret of the console that is long'

beforeAll(async () => {
  server = await identityTest()
  const scopes = ['iam.devices.read']
  const nordwerk = { id: 7, resourceId: 'nordwerk', name: 'Nordwerk', scopes }
  ;({ sub: anna } = await server.person('nordwerk', 'anna', [nordwerk]))
  await server.person('solaris', 'sole')
  await server.calls.administrationClient({ params: { client: clientId }, body: { secret } })
  token = await masterToken()
})
afterAll(() => server.close())

const masterAnswer = (client_secret = secret) =>
  fetch(server.at('master', 'token'), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret,
    }),
  })
async function masterToken() {
  const answer = await masterAnswer()
  return ((await answer.json()) as Tokens).access_token
}

type Sent = { method?: string; body?: unknown; bearer?: string }
async function admin(path: string, { method = 'GET', body, bearer = token }: Sent = {}) {
  const answer = await fetch(`${server.origin}/auth/admin/realms${path}`, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const read = text === '' ? undefined : (JSON.parse(text) as never)
  return { status: answer.status, body: read, headers: answer.headers }
}

test('a filter that is not known answers nobody or is refused, and never everybody', async () => {
  const everybody = await admin('/nordwerk/users')
  expect((everybody.body as unknown as unknown[]).length).toBeGreaterThan(0)
  for (const query of ['q=a:b', 'idpAlias=google', 'firstName=Nobody%20at%20all']) {
    const { status, body } = await admin(`/nordwerk/users?${query}`)
    expect([query, status, body]).toEqual([query, 200, []])
  }
  expect((await admin('/nordwerk/users?nickname=x')).status).toBe(400)
})

test('the realms are listed, for administration tools alone', async () => {
  const { status, body } = await admin('')
  expect(status).toBe(200)
  const names = (body as unknown as { realm: string }[]).map(({ realm }) => realm)
  expect(names).toContain('nordwerk')
  expect((await admin('', { bearer: 'x' })).status).toBe(401)
})

test('an administrator tool finds a person and becomes them, as in the field [C-05]', async () => {
  const found = await admin('/nordwerk/users?username=anna@nordwerk')
  expect(found.body).toMatchObject([{ id: anna, username: 'anna', enabled: true }])
  const answer = await admin(`/nordwerk/users/${anna}/impersonation`, { method: 'POST' })
  expect(answer.status).toBe(200)
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const { verifier, challenge } = pkce()
  const changes = {
    client_id: 'corvina-web-portal',
    code_challenge: challenge,
    scope: 'openid org:nordwerk',
    state: undefined,
  }
  const asked = await fetch(authorizeUrl(server, 'nordwerk', changes), {
    headers: { cookie },
    redirect: 'manual',
  })
  const location = locationOf(asked)
  expect(location).toMatch(/#session_state=.+&iss=.+&code=/)
  const redeemed = await redeemCode(server, 'nordwerk', {
    code: fragmentOf(location).get('code') ?? '',
    client_id: 'corvina-web-portal',
    code_verifier: verifier,
    redirect_uri: `${server.origin}/`,
    scope: 'openid org:nordwerk',
  })
  expect(claimsOf(((await redeemed.json()) as Tokens).access_token)).toMatchObject({
    sub: anna,
    impersonator: { sub: clientId },
  })
})

test('people are made, found, changed and deleted', async () => {
  const made = await admin('/nordwerk/users', {
    method: 'POST',
    body: {
      username: 'Nora',
      email: 'nora@example.org',
      firstName: 'Nora',
      enabled: true,
      attributes: { a: ['b'] },
      credentials: [{ type: 'password', value: 'lake-anvil-violet-8' }],
    },
  })
  expect(made.status).toBe(201)
  const id = made.headers.get('location')?.split('/').at(-1) ?? ''
  const twice = { method: 'POST', body: { username: 'nora' } }
  expect(await admin('/nordwerk/users', twice)).toMatchObject({
    status: 409,
    body: { errorMessage: 'User exists with same username' },
  })
  for (const query of ['search=NOR', 'email=nora@', 'username=nor', 'username=nora&exact=true']) {
    expect((await admin(`/nordwerk/users?${query}`)).body).toMatchObject([{ id }])
  }
  expect((await admin('/nordwerk/users?username=nor&exact=true')).body).toEqual([])
  expect((await admin('/nordwerk/users?first=1&max=1')).body).toMatchObject([{ id }])
  expect((await admin('/nordwerk/users?search=%25')).body).toEqual([])
  expect((await admin('/nordwerk/users/count')).body).toBe(2)
  const path = `/nordwerk/users/${id}`
  expect((await admin(path, { method: 'PUT', body: { lastName: 'Berg' } })).status).toBe(204)
  expect((await admin(path)).body).toMatchObject({ firstName: 'Nora', lastName: 'Berg' })
  const login = { realm: 'nordwerk', username: 'nora', password: 'lake-anvil-violet-8' }
  await tokensFor(server, testBrowser(), login)
  expect((await admin(`${path}/sessions`)).body).toMatchObject([{ userId: id, username: 'nora' }])
  expect((await admin(`${path}/logout`, { method: 'POST' })).status).toBe(204)
  expect((await admin(`${path}/sessions`)).body).toEqual([])
  const weak = { type: 'password', value: 'x', temporary: false }
  const strong = { ...weak, value: 'lake-anvil-violet-9' }
  const reset = (body: unknown) => admin(`${path}/reset-password`, { method: 'PUT', body })
  expect((await reset(weak)).status).toBe(400)
  expect((await reset(strong)).status).toBe(204)
  await tokensFor(server, testBrowser(), { ...login, password: strong.value })
  expect((await admin(path, { method: 'DELETE' })).status).toBe(204)
  expect((await admin(path)).status).toBe(404)
  expect((await admin(path, { method: 'DELETE' })).status).toBe(404)
})

test('a service account is a client with a user', async () => {
  const body = { clientId: 'user-service-pump', serviceAccountsEnabled: true }
  expect((await admin('/nordwerk/clients', { method: 'POST', body })).status).toBe(201)
  expect((await admin('/nordwerk/clients', { method: 'POST', body })).status).toBe(409)
  const path = '/nordwerk/clients/user-service-pump'
  expect((await admin('/nordwerk/clients?clientId=user-service-pump')).body).toMatchObject([
    { clientId: 'user-service-pump', serviceAccountsEnabled: true },
  ])
  const user = await admin(`${path}/service-account-user`)
  expect(user.body).toMatchObject({ username: 'service-account-user-service-pump' })
  const renewed = await admin(`${path}/client-secret`, { method: 'POST' })
  const { value } = renewed.body as unknown as { value: string }
  const signIn = () =>
    fetch(server.at('nordwerk', 'token'), {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'user-service-pump',
        client_secret: value,
      }),
    })
  expect((await signIn()).status).toBe(200)
  expect((await admin(`${path}/client-secret`)).body).toMatchObject({ value: '**********' })
  expect((await admin('/nordwerk/users?search=pump')).body).toEqual([])
  expect((await admin(path, { method: 'DELETE' })).status).toBe(204)
  expect((await signIn()).status).toBe(401)
})

test('no other token opens the administration (attack 81)', async () => {
  const person = await tokensFor(server, testBrowser(), { realm: 'nordwerk', username: 'anna' })
  const robot = await server.calls.createAccount({
    body: { realm: 'nordwerk', username: 'robot', serviceAccount: true },
  })
  const own = await fetch(server.at('nordwerk', 'token'), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'user-service-robot',
      client_secret: robot.clientSecret ?? '',
    }),
  })
  const { access_token: service } = (await own.json()) as Tokens
  for (const bearer of [
    person.access_token,
    person.id_token,
    person.refresh_token,
    service,
    '',
    'x',
  ]) {
    for (const [path, method] of [
      ['/nordwerk/users', 'GET'],
      [`/nordwerk/users/${anna}/impersonation`, 'POST'],
      ['/nordwerk', 'GET'],
      ['', 'POST'],
    ] as const) {
      const body = method === 'POST' ? {} : undefined
      expect((await admin(path, { method, bearer, body })).status).toBe(401)
    }
  }
})

test('an administration token is nobody to the routes of people', async () => {
  const headers = { authorization: `Bearer ${token}` }
  for (const realm of ['master', 'nordwerk']) {
    expect((await fetch(server.at(realm, 'userinfo'), { headers })).status).toBe(401)
    const ticket = await fetch(server.at(realm, 'token'), {
      method: 'POST',
      headers,
      body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket' }),
    })
    expect(ticket.status).toBe(401)
  }
})

test('each realm has its own people, and master none', async () => {
  expect((await admin(`/solaris/users/${anna}`)).status).toBe(404)
  expect((await admin(`/solaris/users/${anna}`, { method: 'DELETE' })).status).toBe(404)
  expect((await admin('/master/users')).status).toBe(404)
  expect((await admin('/nowhere/users')).status).toBe(404)
  expect((await admin('/nordwerk/users/__proto__')).status).toBe(404)
  for (const body of [{ username: ['a'] }, { username: '' }, [], 'x', { username: { $gt: '' } }]) {
    expect((await admin('/nordwerk/users', { method: 'POST', body })).status).toBe(400)
  }
  expect((await admin('/nordwerk/users?max=x')).status).toBe(400)
})

test('a realm is made with its keys, once', async () => {
  const body = { realm: 'fresh', displayName: 'Fresh' }
  expect((await admin('', { method: 'POST', body })).status).toBe(201)
  expect((await admin('', { method: 'POST', body })).status).toBe(409)
  expect((await admin('', { method: 'POST', body: { realm: 'master' } })).status).toBe(400)
  expect((await admin('/fresh')).body).toMatchObject({ realm: 'fresh', displayName: 'Fresh' })
  expect((await fetch(server.at('fresh', 'certs'))).status).toBe(200)
})

test('what is done this way stands in the audit trail', async () => {
  const { rows } = await server.database.pool.query<{ payload: Record<string, unknown> }>(
    `select payload from bus.event where topic = 'audit.recorded'
     and payload->>'action' = 'impersonate'`,
  )
  expect(rows[0]?.payload).toMatchObject({
    label: 'anna',
    actor: { kind: 'service', sub: clientId, realm: 'nordwerk' },
  })
})

test('the administration client is off until it has a secret, and again when it is shut out', async () => {
  expect((await masterAnswer('')).status).toBe(401)
  const params = { client: clientId }
  await server.calls.administrationClient({ params, body: { secret } })
  expect((await admin('/nordwerk')).status).toBe(200)
  await server.calls.administrationClient({ params, body: { enabled: false } })
  expect((await admin('/nordwerk')).status).toBe(401)
  expect((await masterAnswer()).status).toBe(401)
  await expect(
    server.calls.administrationClient({ params: { client: 'portal' }, body: {} }),
  ).rejects.toMatchObject({ status: 404 })
})
