import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimsOf, identityTest, type IdentityTest, testBrowser, tokensFor } from './testing.ts'

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

test('only an access token of the realm gets a ticket [X-03]', async () => {
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

test('claims that a client invents change nothing', async () => {
  const claim_token = Buffer.from('{"sub":["root"]}').toString('base64')
  const answer = await ask({ permission: 'solaris', claim_token, rpt: token, sub: 'root' })
  expect(answer.status).toBe(403)
})

test('who left the organization gets no ticket any more, with the same token', async () => {
  server.people.set(sub, [plant])
  expect((await ask({ permission: 'nordwerk' })).status).toBe(403)
  expect((await ask({ permission: 'nordwerk.plant' })).status).toBe(200)
  server.people.set(sub, [nordwerk, plant])
})
