import { randomUUID } from 'node:crypto'
import { coreContract } from '@longreach/core/contract'
import { serviceOf, testServer, type TestServer } from '@longreach/kit/testing'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { identityContract } from '../contract.ts'
import { realmTemplate } from './keycloak-realm.ts'
import { keycloakIdentity, type KeycloakSettings } from '../keycloak-service.ts'
import { claimsOf, identityTest, type IdentityTest, testBrowser, tokensFor } from '../testing.ts'

const adminClient = 'corvina-core-keycloak-admin-client'
const secret = 'a secret of the console that is long'
const password = 'lake-anvil-violet-8'
const membership = { id: 7, resourceId: 'nordwerk', name: 'Nordwerk' }
const scopes = ['iam.devices.read']

/** Core as a table of one organization that everybody belongs to. */
const { memberships, ticketPermissions } = coreContract.endpoints
const everybody = serviceOf<object>()({
  contract: { ...coreContract, endpoints: { memberships, ticketPermissions } },
  migrations: new URL('.', import.meta.url),
  handlers: () => ({
    memberships: async () => [membership],
    ticketPermissions: async ({
      body: {
        organizations: [organization],
      },
    }) => (organization === 'nordwerk' ? [{ rsid: '7', rsname: 'nordwerk', scopes }] : []),
  }),
})

let embedded: IdentityTest
const opened: TestServer[] = []

/** Identity as other services call it, with accounts in this Keycloak. */
async function house(settings: KeycloakSettings) {
  const server = await testServer([everybody, keycloakIdentity(settings)])
  opened.push(server)
  return { server, calls: server.asService(identityContract) }
}

beforeAll(async () => {
  embedded = await identityTest()
  const params = { client: adminClient }
  await embedded.calls.administrationClient({ params, body: { secret } })
})
afterAll(async () => {
  for (const one of opened) await one.close()
  await embedded.close()
})

const ofEmbedded = (): KeycloakSettings => ({
  url: `${embedded.origin}/auth`,
  clientId: adminClient,
  secret,
  realms: new Map([['nordwerk', 'plants']]),
})
/** A Keycloak of somebody who tests against theirs: KEYCLOAK_URL and its administration client. */
const ofKeycloak = (): KeycloakSettings => ({
  url: process.env['KEYCLOAK_URL'] ?? '',
  clientId: process.env['KEYCLOAK_ADMIN_CLIENT_ID'] ?? adminClient,
  secret: process.env['KEYCLOAK_ADMIN_CLIENT_SECRET'] ?? '',
  realms: new Map([['nordwerk', `longreach-test-${randomUUID().slice(0, 8)}`]]),
})
const kinds = [
  ['the embedded service', ofEmbedded],
  ...(process.env['KEYCLOAK_URL'] ? ([['KEYCLOAK_URL', ofKeycloak]] as const) : []),
] as const

for (const [kind, settings] of kinds) {
  let calls: Awaited<ReturnType<typeof house>>['calls']
  const realm = 'nordwerk'
  beforeAll(async () => {
    ;({ calls } = await house(settings()))
    await calls.createRealm({ body: { name: realm, label: 'Nordwerk' } })
  })

  test(`accounts through the Admin REST of ${kind}: made, found, changed, deleted`, async () => {
    await calls.createRealm({ body: { name: realm, label: 'Nordwerk' } })
    const body = { realm, username: 'Nora', email: 'nora@example.org', firstName: 'Nora', password }
    const made = await calls.createAccount({ body })
    expect(made).toMatchObject({ realm, username: 'nora', enabled: true, serviceAccount: false })
    const { sub } = made
    const params = { sub }
    expect(await calls.account({ params })).toMatchObject({ sub, email: 'nora@example.org' })
    const query = { realm, username: 'nora@nordwerk' }
    expect(await calls.findAccount({ query })).toMatchObject([{ sub }])
    expect(await calls.findAccount({ query: { realm, username: 'nor' } })).toEqual([])
    const changed = await calls.updateAccount({ params, body: { lastName: 'Berg' } })
    expect(changed).toMatchObject({ firstName: 'Nora', lastName: 'Berg', enabled: true })
    const off = { enabled: false, requiredActions: ['UPDATE_PASSWORD' as const] }
    expect(await calls.updateAccount({ params, body: off })).toMatchObject({ enabled: false })
    await calls.updateAccount({ params, body: { enabled: true, password: `${password}9` } })
    const security = { sessions: [], credentials: [], lockedUntil: null }
    expect(await calls.account({ params })).toMatchObject(security)
    const asked = { subs: [sub], only: 'secondFactor' as const }
    expect(await calls.signInStates({ body: asked })).toMatchObject([{ sub, secondFactor: false }])
    await calls.deleteAccount({ params })
    await expect(calls.account({ params })).rejects.toMatchObject({ status: 404 })
    await expect(calls.deleteAccount({ params })).rejects.toMatchObject({ status: 404 })
  })

  test(`refusals of ${kind} are told in our words`, async () => {
    const body = { realm, username: 'twin', password }
    const { sub } = await calls.createAccount({ body })
    const rejected = (call: Promise<unknown>, status: number, code: string) =>
      expect(call).rejects.toMatchObject({ status, code: `identity.${code}` })
    await rejected(calls.createAccount({ body }), 409, 'username_taken')
    const weak = { ...body, username: 'weak', password: 'x' }
    await rejected(calls.createAccount({ body: weak }), 422, 'password_refused')
    await rejected(
      calls.updateAccount({ params: { sub }, body: { password: 'x' } }),
      422,
      'password_refused',
    )
    const elsewhere = { ...body, realm: 'nowhere' }
    await rejected(calls.createAccount({ body: elsewhere }), 404, 'no_such_realm')
    const nobody = { sub: randomUUID() }
    await rejected(calls.account({ params: nobody }), 404, 'no_such_account')
    const renewing = { params: { sub }, body: { renewClientSecret: true as const } }
    await rejected(calls.updateAccount(renewing), 404, 'no_such_client')
    const by = { sub: 'x', username: 'x' }
    await rejected(calls.impersonate({ params: { sub }, body: { by } }), 422, 'not_with_keycloak')
    await rejected(calls.oneTimeLink({ params: { sub }, body: {} }), 409, 'no_mail_server')
    await calls.deleteAccount({ params: { sub } })
  })

  test(`a service account of ${kind} is a client with a secret, renewed and deleted`, async () => {
    const body = { realm, username: 'robot', serviceAccount: true }
    const made = await calls.createAccount({ body })
    const params = { sub: made.sub }
    expect(made).toMatchObject({ username: 'robot', serviceAccount: true })
    const signIn = async (client_secret: string) => {
      const { client } = await calls.account({ params })
      const answer = await fetch(client?.tokenEndpoint ?? '', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: client?.clientId ?? '',
          client_secret,
        }),
      })
      return answer.status
    }
    expect(await signIn(made.clientSecret ?? '')).toBe(200)
    const { clientSecret = '' } = await calls.updateAccount({
      params,
      body: { renewClientSecret: true },
    })
    expect([await signIn(made.clientSecret ?? ''), await signIn(clientSecret)]).toEqual([401, 200])
    const query = { realm, username: 'robot' }
    expect(await calls.findAccount({ query })).toMatchObject([{ sub: made.sub }])
    await calls.deleteAccount({ params })
    expect(await calls.findAccount({ query })).toEqual([])
  })
}

test('the ticket grant stays with us: the token of Keycloak in, a ticket under our key out [A-01]', async () => {
  const settings = { ...ofEmbedded(), realms: new Map([['nordwerk', 'works']]) }
  const { server, calls } = await house(settings)
  await calls.createRealm({ body: { name: 'nordwerk', label: 'Nordwerk' } })
  await calls.createAccount({ body: { realm: 'nordwerk', username: 'anna', password } })
  const { access_token, id_token, refresh_token } = await tokensFor(embedded, testBrowser(), {
    realm: 'works',
    username: 'anna',
    password,
  })
  const at = (path: string) => `/auth/realms/nordwerk/protocol/openid-connect/${path}`
  const ask = async (bearer: string, permission = 'nordwerk') => {
    const answer = await server.fetchAs()(at('token'), {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket',
        audience: 'platform',
        permission,
      }).toString(),
      headers: {
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
    return { status: answer.status, body: (await answer.json()) as { access_token: string } }
  }
  const { status, body } = await ask(access_token)
  expect(status).toBe(200)
  const certs = await server.fetchAs()(at('certs'))
  const keys = createLocalJWKSet((await certs.json()) as JSONWebKeySet)
  const { payload } = await jwtVerify(body.access_token, keys, { audience: 'platform' })
  expect(payload).toMatchObject({
    iss: 'http://portal.test/auth/realms/nordwerk',
    sub: claimsOf(access_token)['sub'],
    preferred_username: 'anna@nordwerk',
    authorization: { permissions: [{ rsname: 'nordwerk', scopes }] },
  })
  expect((await ask(access_token, 'solaris')).status).toBe(403)
  for (const bearer of [id_token, refresh_token, body.access_token, '', 'x']) {
    expect((await ask(bearer)).status).toBe(401)
  }
  await embedded.person('foreign', 'sole')
  const foreign = await tokensFor(embedded, testBrowser(), { realm: 'foreign', username: 'sole' })
  expect((await ask(foreign.access_token)).status).toBe(401)
  const code = await server.fetchAs()(at('token'), {
    method: 'POST',
    body: 'grant_type=authorization_code&code=x',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(code.status).toBe(400)
})

test('the realm file brings the settings that the product counts on', () => {
  const origin = 'https://portal.example.org'
  const realm = realmTemplate({ realm: 'plants', label: 'Plants "north"', origin })
  expect(realm).toMatchObject({
    realm: 'plants',
    displayName: 'Plants "north"',
    bruteForceProtected: true,
    permanentLockout: false,
    revokeRefreshToken: true,
    refreshTokenMaxReuse: 0,
  })
  // With scopes of its own, Keycloak would leave out those that bring `sub`, names and origins.
  expect(realm.clientScopes).toBeUndefined()
  for (const client of realm.clients ?? []) {
    expect(client).toMatchObject({ implicitFlowEnabled: false, directAccessGrantsEnabled: false })
    expect(client.attributes).toMatchObject({ 'pkce.code.challenge.method': 'S256' })
    for (const uri of client.redirectUris ?? []) expect(uri).not.toContain('*')
    expect(client.redirectUris).toEqual([`${origin}/`])
    const [mapper] = client.protocolMappers ?? []
    expect(mapper?.config).toMatchObject({ 'included.custom.audience': 'corvina-platform' })
  }
})
