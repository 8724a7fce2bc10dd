import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimsOf, identityTest, type IdentityTest, testBrowser, tokensFor } from '../testing.ts'

let server: IdentityTest
let token: string
let sub: string
const scopes = ['iam.devices.read', 'iam.devices.update', 'iam.alarms.ack']
const nordwerk = { id: 7, resourceId: 'nordwerk', name: 'Nordwerk', scopes }
const plant = { id: 9, resourceId: 'nordwerk.plant', name: 'Plant', scopes: ['iam.devices.read'] }

beforeAll(async () => {
  server = await identityTest()
  ;({ sub } = await server.person('nordwerk', 'anna', [nordwerk, plant]))
  await server.person('solaris', 'sole')
  const tokens = await tokensFor(server, testBrowser(), { realm: 'nordwerk', username: 'anna' })
  token = tokens.access_token
})
afterAll(() => server.close())

type Fields = Record<string, string | string[]>
async function ask(fields: Fields, bearer = token, realm = 'nordwerk') {
  const form = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket' })
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value].flat()) form.append(name, one)
  }
  const headers = { authorization: `Bearer ${bearer}` }
  const answer = await fetch(server.at(realm, 'token'), { method: 'POST', body: form, headers })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

test('a ticket lists what its holder may do in the organization [A-01] [C-05] [N-03]', async () => {
  for (const audience of ['platform', 'corvina-platform']) {
    const { status, body } = await ask({ audience, permission: 'nordwerk', client_id: 'portal' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ upgraded: false, token_type: 'Bearer', 'not-before-policy': 0 })
    const keys = createRemoteJWKSet(new URL(server.at('nordwerk', 'certs')))
    const { payload } = await jwtVerify(body['access_token'] as string, keys, { audience })
    expect(payload).toMatchObject({
      typ: 'Bearer',
      azp: 'portal',
      sub,
      authorization: { permissions: [{ rsid: '7', rsname: 'nordwerk', scopes }] },
    })
  }
})

test('a ticket holds only the scopes that were asked for', async () => {
  const permission = ['nordwerk#iam.alarms.ack,iam.models.read', 'nordwerk.plant']
  const { body } = await ask({ audience: 'platform', permission })
  expect(claimsOf(body['access_token'] as string)['authorization']).toEqual({
    permissions: [
      { rsid: '7', rsname: 'nordwerk', scopes: ['iam.alarms.ack'] },
      { rsid: '9', rsname: 'nordwerk.plant', scopes: ['iam.devices.read'] },
    ],
  })
})

test('without a permission field a ticket covers every organization of the person', async () => {
  const { body } = await ask({ audience: 'platform', response_mode: 'permissions' })
  expect(body).toMatchObject([{ rsname: 'nordwerk' }, { rsname: 'nordwerk.plant' }])
})

test('the answer is a decision where that is asked for', async () => {
  const fields = { audience: 'platform', permission: 'nordwerk', response_mode: 'decision' }
  expect((await ask(fields)).body).toEqual({ result: true })
})

test.each([
  ['an organization of others', { permission: 'solaris' }, 403, 'access_denied'],
  ['one that is not there', { permission: 'nowhere' }, 403, 'access_denied'],
  ['a name of the language', { permission: '__proto__' }, 403, 'access_denied'],
  ['a scope that is not held', { permission: 'nordwerk#iam.users.delete' }, 403, 'access_denied'],
  ['own and foreign', { permission: ['nordwerk', 'solaris'] }, 403, 'access_denied'],
  ['foreign and own', { permission: ['solaris', 'nordwerk'] }, 403, 'access_denied'],
  ['a scope that does not exist', { permission: 'nordwerk#x' }, 400, 'invalid_scope'],
  ['no name', { permission: '#iam.devices.read' }, 400, 'invalid_resource'],
  ['a pattern', { permission: 'nordwerk.*' }, 400, 'invalid_resource'],
  ['an unknown audience', { audience: 'other', permission: 'nordwerk' }, 400, 'invalid_request'],
  ['an unknown mode', { permission: 'nordwerk', response_mode: 'x' }, 400, 'invalid_request'],
])('a ticket for %s is refused [A-01] [X-03]', async (_, fields, status, error) => {
  const answer = await ask({ audience: 'platform', ...fields })
  expect([answer.status, answer.body['error']]).toEqual([status, error])
})

test('only an access token of the realm gets a ticket (attack 11) (attack 12) [X-03]', async () => {
  const ticket = await ask({ audience: 'corvina-platform', permission: 'nordwerk' })
  const tokens = await tokensFor(server, testBrowser(), { realm: 'nordwerk', username: 'anna' })
  const bearers = [
    '',
    'x',
    ticket.body['access_token'] as string,
    tokens.id_token,
    tokens.refresh_token,
  ]
  for (const bearer of bearers) {
    expect((await ask({ permission: 'nordwerk' }, bearer)).status).toBe(401)
  }
  expect((await ask({ permission: 'nordwerk' }, token, 'solaris')).status).toBe(401)
  const { access_token } = ticket.body as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}` }
  expect((await fetch(server.at('nordwerk', 'userinfo'), { headers })).status).toBe(401)
})

const phone = {
  client_id: 'nextel-mobile-app',
  redirect_uri: 'https://localhost/callback',
  scope: 'openid profile',
}
const onPhone = () =>
  tokensFor(server, testBrowser(), { realm: 'nordwerk', username: 'anna', changes: phone })
async function renew(refresh_token: unknown, client_id = 'nextel-mobile-app', realm = 'nordwerk') {
  const answer = await fetch(server.at(realm, 'token'), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id,
      refresh_token: String(refresh_token),
    }),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

test('a phone gets the fields that it maps, and renews its ticket [A-01] [E-02]', async () => {
  const { access_token } = await onPhone()
  const fields = {
    audience: 'corvina-platform',
    permission: 'nordwerk',
    client_id: phone.client_id,
  }
  const { body } = await ask(fields, access_token)
  expect(body).toMatchObject({
    upgraded: false,
    access_token: expect.any(String) as string,
    expires_in: 300,
    refresh_expires_in: expect.any(Number) as number,
    refresh_token: expect.any(String) as string,
    token_type: 'Bearer',
    session_state: expect.any(String) as string,
    scope: 'org:nordwerk',
  })
  const again = await renew(body['refresh_token'])
  expect(again.status).toBe(200)
  expect(claimsOf(again.body['access_token'] as string)).toMatchObject({
    sub,
    azp: phone.client_id,
    authorization: { permissions: [{ rsname: 'nordwerk', scopes }] },
  })
  await server.belongs(sub, [plant])
  expect((await renew(again.body['refresh_token'])).status).toBe(403)
  await server.belongs(sub, [nordwerk, plant])
})

test('the portal gets no refresh token with a ticket: it asks again [T-10]', async () => {
  const { body } = await ask({ audience: 'platform', permission: 'nordwerk' })
  expect(body).not.toHaveProperty('refresh_token')
})

test("a ticket's refresh token holds for its client, realm and session, once", async () => {
  const { access_token, id_token } = await onPhone()
  const { body } = await ask({ permission: 'nordwerk' }, access_token)
  const first = body['refresh_token'] as string
  const [head, payload = '', signature] = first.split('.')
  const other = { ...claimsOf(first), azp: 'portal' }
  const altered = Buffer.from(JSON.stringify(other)).toString('base64url')
  expect((await renew(first, 'portal')).status).toBe(400)
  expect((await renew(first, phone.client_id, 'solaris')).status).toBe(400)
  expect((await renew(`${head}.${altered}.${signature}`, 'portal')).status).toBe(400)
  expect((await ask({ permission: 'nordwerk' }, first)).status).toBe(401)
  expect(payload).not.toBe(altered)
  const second = (await renew(first)).body['refresh_token']
  await server.database.pool.query(
    `update identity.oidc_record set consumed_at = now() - interval '11 seconds'
     where model = 'TicketRefreshToken' and consumed_at is not null`,
  )
  expect((await renew(first)).status).toBe(400)
  expect((await renew(second)).status).toBe(400)
  const third = (await ask({ permission: 'nordwerk' }, access_token)).body['refresh_token']
  await fetch(server.at('nordwerk', 'logout'), {
    method: 'POST',
    body: new URLSearchParams({ id_token_hint: id_token }),
    redirect: 'manual',
  })
  expect((await renew(third)).status).toBe(400)
})

test('of eight renewals at once, answers that were lost may come again, none fails (attack 25)', async () => {
  const { access_token } = await onPhone()
  const { body } = await ask({ permission: 'nordwerk' }, access_token)
  const all = await Promise.all(Array.from({ length: 8 }, () => renew(body['refresh_token'])))
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
})

test('a ticket names no more than twenty permissions, in no more than 64 kB (attack 17)', async () => {
  const many = Array.from({ length: 21 }, () => 'nordwerk')
  expect((await ask({ permission: many })).status).toBe(400)
  const form = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket' })
  for (let count = 0; count < 10_000; count++) form.append('permission', 'nordwerk')
  const headers = { authorization: `Bearer ${token}` }
  const large = await fetch(server.at('nordwerk', 'token'), { method: 'POST', body: form, headers })
  expect(large.status).toBe(413)
  const long = await fetch(server.at('nordwerk', 'userinfo'), {
    headers: { authorization: `Bearer ${'x'.repeat(100_000)}` },
  })
  expect(long.status).toBe(431)
})

test('a child that the role above does not reach down to gives no ticket (attack 48)', async () => {
  await server.belongs(sub, [nordwerk])
  expect((await ask({ permission: 'nordwerk.plant' })).status).toBe(403)
  await server.belongs(sub, [nordwerk, plant])
})

test('claims that a client invents change nothing (attack 47)', async () => {
  const claim_token = Buffer.from('{"sub":["root"]}').toString('base64')
  const answer = await ask({ permission: 'solaris', claim_token, rpt: token, sub: 'root' })
  expect(answer.status).toBe(403)
})

test('who left the organization gets no ticket any more, with the same token (attack 49)', async () => {
  await server.belongs(sub, [plant])
  expect((await ask({ permission: 'nordwerk' })).status).toBe(403)
  expect((await ask({ permission: 'nordwerk.plant' })).status).toBe(200)
  await server.belongs(sub, [nordwerk, plant])
})
