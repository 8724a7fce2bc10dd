import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { claimsOf, identityTest, type IdentityTest, testBrowser, tokensFor } from '../testing.ts'

let server: IdentityTest
let sub: string
let secret: string
const clientId = 'user-service-robot'
const scopes = ['iam.devices.read']
const nordwerk = { id: 7, resourceId: 'nordwerk', name: 'Nordwerk', scopes }

beforeAll(async () => {
  server = await identityTest()
  await server.person('nordwerk', 'anna', [nordwerk])
  await server.person('solaris', 'sole')
})
beforeEach(async () => {
  const [left] = await server.calls.findAccount({
    query: { realm: 'nordwerk', username: 'robot' },
  })
  if (left) await server.calls.deleteAccount({ params: { sub: left.sub } })
  const made = await server.calls.createAccount({
    body: { realm: 'nordwerk', username: 'robot', email: '', serviceAccount: true },
  })
  ;({ sub } = made)
  secret = made.clientSecret ?? ''
  await server.belongs(sub, [nordwerk])
})
afterAll(() => server.close())

type Answer = { access_token: string; error?: string; [name: string]: unknown }
const basic = (id: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(password)}`).toString('base64')}`,
})
async function ask(
  fields: Record<string, string>,
  headers: Record<string, string> = {},
  realm = 'nordwerk',
) {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...fields })
  const answer = await fetch(server.at(realm, 'token'), { method: 'POST', body, headers })
  return { status: answer.status, body: (await answer.json()) as Answer }
}
const userinfo = async (token: string) =>
  (
    await fetch(server.at('nordwerk', 'userinfo'), {
      headers: { authorization: `Bearer ${token}` },
    })
  ).status

test('a service account signs in with its secret, by Basic or as form fields [C-04] [C-05]', async () => {
  const fields = { client_id: clientId, client_secret: secret }
  for (const answer of [
    await ask({ scope: 'org:nordwerk' }, basic(clientId, secret)),
    await ask({ scope: 'org:nordwerk', ...fields }),
  ]) {
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ token_type: 'Bearer', expires_in: 300 })
    expect(answer.body).not.toHaveProperty('refresh_token')
    expect(claimsOf(answer.body.access_token)).toMatchObject({
      sub,
      azp: clientId,
      typ: 'Bearer',
      aud: 'corvina-platform',
      preferred_username: 'service-account-user-service-robot',
      scope: 'org:nordwerk profile email',
      authorization: { permissions: [{ rsid: '7', rsname: 'nordwerk', scopes }] },
    })
    expect(await userinfo(answer.body.access_token)).toBe(200)
  }
})

test('an organization of others is dropped from its token', async () => {
  const { body } = await ask({ scope: 'org:solaris' }, basic(clientId, secret))
  expect(claimsOf(body.access_token)).not.toHaveProperty('authorization')
  expect(claimsOf(body.access_token)['scope']).toBe('profile email')
})

test('whatever is wrong with a client, the answer is the same', async () => {
  const fields = { client_id: clientId, client_secret: secret }
  const tries = [
    await ask({}, basic(clientId, 'guess')),
    await ask({}, basic('user-service-nobody', secret)),
    await ask({ ...fields, client_secret: '' }),
    await ask(fields, basic(clientId, secret)),
    await ask({ client_id: 'other' }, basic(clientId, secret)),
    await ask(fields, {}, 'solaris'),
    await ask({ client_id: 'portal', client_secret: 'x' }),
    await ask({ client_id: "x' or '1'='1", client_secret: 'x' }),
    await ask({}, { authorization: 'Basic %%%' }),
    await ask({}, { authorization: `Basic ${Buffer.from('a:%zz').toString('base64')}` }),
    await ask({}),
  ]
  const first = JSON.stringify(tries[0])
  for (const one of tries) expect(JSON.stringify(one)).toBe(first)
  expect(tries[0]).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
})

test('a new secret ends the old one and its tokens, and every server is told', async () => {
  const { body } = await ask({}, basic(clientId, secret))
  const params = { sub }
  const renewed = await server.calls.updateAccount({ params, body: { renewClientSecret: true } })
  expect(renewed.clientSecret).toMatch(/^lrs_/)
  expect(renewed.client?.tokenEndpoint).toBe(server.at('nordwerk', 'token'))
  expect(await userinfo(body.access_token)).toBe(401)
  expect((await ask({}, basic(clientId, secret))).status).toBe(401)
  expect((await ask({}, basic(clientId, renewed.clientSecret ?? ''))).status).toBe(200)
  const { rows } = await server.database.pool.query<{ session: string }>(
    `select payload->>'session' as session from bus.event where topic = 'identity.session_ended'`,
  )
  expect(rows.map(({ session }) => session)).toContain(claimsOf(body.access_token)['sid'])
})

test('the secret is shown once and kept as a fingerprint only', async () => {
  const shown = await server.calls.account({ params: { sub } })
  const client = { clientId, tokenEndpoint: server.at('nordwerk', 'token') }
  expect(shown).toMatchObject({ client })
  expect(shown).not.toHaveProperty('clientSecret')
  const { rows } = await server.database.pool.query('select * from identity.client')
  expect(JSON.stringify(rows)).not.toContain(secret)
})

test('a service account that is disabled or deleted is dead at once (attack 18)', async () => {
  const first = await ask({}, basic(clientId, secret))
  await server.calls.updateAccount({ params: { sub }, body: { enabled: false } })
  expect(await userinfo(first.body.access_token)).toBe(401)
  expect((await ask({}, basic(clientId, secret))).status).toBe(401)
  await server.calls.updateAccount({ params: { sub }, body: { enabled: true } })
  const again = await ask({}, basic(clientId, secret))
  expect(again.status).toBe(200)
  expect(await userinfo(first.body.access_token)).toBe(401)
  await server.calls.deleteAccount({ params: { sub } })
  expect(await userinfo(again.body.access_token)).toBe(401)
  expect((await ask({}, basic(clientId, secret))).status).toBe(401)
})

test('a service account exchanges its token for a ticket', async () => {
  const { body } = await ask({ scope: 'org:nordwerk' }, basic(clientId, secret))
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket',
    audience: 'platform',
    permission: 'nordwerk',
  })
  const headers = { authorization: `Bearer ${body.access_token}` }
  const answer = await fetch(server.at('nordwerk', 'token'), {
    method: 'POST',
    body: form,
    headers,
  })
  expect(answer.status).toBe(200)
})

test('nobody is named as service accounts are in tokens', async () => {
  const body = { realm: 'nordwerk', username: 'service-account-user-service-anna' }
  await expect(server.calls.createAccount({ body })).rejects.toMatchObject({ status: 409 })
})

test('a service account has no password and no page', async () => {
  const password = 'service-account-9-x'
  await server.calls.deleteAccount({ params: { sub } })
  await server.calls.createAccount({
    body: { realm: 'nordwerk', username: 'robot', password, serviceAccount: true },
  })
  await expect(
    tokensFor(server, testBrowser(), { realm: 'nordwerk', username: 'robot', password }),
  ).rejects.toThrow()
})
