import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { coreContract } from '@longreach/core/contract'
import { identityContract } from '@longreach/identity/contract'
import { client } from '@longreach/kit/client'
import { testDatabase } from '@longreach/kit/test-database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compose, type Composed } from './compose.ts'
import { readSettings } from './settings.ts'

const password = 'lake-anvil-violet-7'
const adminClient = 'corvina-core-keycloak-admin-client'
const secret = 'a secret of the console that is long'
const opened: (() => Promise<unknown>)[] = []
/**
 * Two servers: one plays Keycloak with its embedded identity service, the other has its accounts
 * there.
 */
let theirs: Awaited<ReturnType<typeof server>>
let ours: typeof theirs

async function server(more: NodeJS.ProcessEnv) {
  const database = await testDatabase()
  opened.push(() => database.close())
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-keycloak-'))
  opened.push(() => rm(folder, { recursive: true, force: true }))
  const { host, user, database: name } = database.connection
  const composed: Composed = await compose(
    readSettings({
      DATABASE_URL: `postgres://${user}@/${name}?host=${encodeURIComponent(host)}`,
      DATA_DIR: folder,
      PORT: '0',
      MQTT_PORT: '0',
      LOG_LEVEL: 'silent',
      SERVICES: 'identity,core,mappings',
      ...more,
    }),
  )
  opened.push(() => composed.close())
  await composed.app.listen({ port: 0, host: '127.0.0.1' })
  const address = composed.app.server.address()
  const origin = `http://localhost:${typeof address === 'object' ? address?.port : ''}`
  composed.site.origin = origin
  const running = await composed.start()
  opened.push(() => running.close())
  return { composed, origin }
}

beforeAll(async () => {
  theirs = await server({})
  const identity = client(identityContract, await theirs.composed.fetchAsService())
  await identity.administrationClient({ params: { client: adminClient }, body: { secret } })
  ours = await server({
    KEYCLOAK_URL: `${theirs.origin}/auth`,
    KEYCLOAK_ADMIN_CLIENT_SECRET: secret,
    KEYCLOAK_REALMS: 'nordwerk=plants',
  })
  const core = client(coreContract, await ours.composed.fetchAsService())
  const owner = { username: 'owner', password }
  await core.createRoot({ body: { name: 'nordwerk', label: 'Nordwerk', owner } })
}, 60_000)
afterAll(async () => {
  for (const close of opened.toReversed()) await close()
})

/** Signs in where the account is, as the portal does, without an organization. */
async function signIn(username: string) {
  const at = (way: string) => `${theirs.origin}/auth/realms/plants/protocol/openid-connect/${way}`
  const form = { emi_username: `${username}/plants`, emi_password: password, ajax: '1' }
  const signedIn = await fetch(`${theirs.origin}/manage/access/login`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const code_verifier = randomBytes(32).toString('base64url')
  const own = { client_id: 'portal', redirect_uri: `${theirs.origin}/` }
  const ask = {
    ...own,
    response_type: 'code',
    response_mode: 'fragment',
    scope: 'openid',
    prompt: 'none',
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  const asked = await fetch(`${at('auth')}?${new URLSearchParams(ask)}`, {
    headers: { cookie },
    redirect: 'manual',
  })
  const fragment = new URLSearchParams((asked.headers.get('location') ?? '').split('#')[1])
  const code = fragment.get('code') ?? ''
  const body = new URLSearchParams({
    ...own,
    grant_type: 'authorization_code',
    code,
    code_verifier,
  })
  const answer = await fetch(at('token'), { method: 'POST', body })
  return ((await answer.json()) as { access_token: string }).access_token
}

const users = (token: string, org = 'nordwerk') =>
  fetch(`${ours.origin}/svc/core/api/v1/organizations/${org}/users`, {
    headers: { authorization: `Bearer ${token}` },
  })

const ticketFor = (token: string, permission: string, realm = 'nordwerk') =>
  fetch(`${ours.origin}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket',
      audience: 'corvina-platform',
      permission,
    }),
  })

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    iss: string
    authorization?: { permissions: { rsname: string; scopes: string[] }[] }
  }

test('a token of another issuer opens the calls of its person, without any scope', async () => {
  const token = await signIn('owner')
  expect(claimsOf(token)).toMatchObject({ iss: `${theirs.origin}/auth/realms/plants` })
  expect(claimsOf(token).authorization).toBeUndefined()
  const answer = await users(token)
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ content: [{ username: 'owner' }] })
  expect((await users(`${token}x`)).status).toBe(401)
  expect((await users(token, 'acqua')).status).toBe(404)
})

test('what the token does not say, the ticket of this server says [A-01] [E-02]', async () => {
  const token = await signIn('owner')
  const answer = await ticketFor(token, 'nordwerk')
  expect(answer.status).toBe(200)
  const { access_token: ticket } = (await answer.json()) as { access_token: string }
  const { iss, authorization } = claimsOf(ticket)
  expect(iss).toBe(`${ours.origin}/auth/realms/nordwerk`)
  expect(authorization?.permissions).toMatchObject([{ rsname: 'nordwerk' }])
  expect(authorization?.permissions[0]?.scopes).toContain('iam.portal.access')
  expect((await users(ticket)).status).toBe(200)
  expect((await ticketFor(`${token}x`, 'nordwerk')).status).toBe(401)
  expect((await ticketFor(token, 'acqua')).status).toBe(403)
  expect((await ticketFor(token, 'nordwerk', 'plants')).status).toBe(404)
})

test('somebody of that issuer who belongs to no organization here may do nothing', async () => {
  const identity = client(identityContract, await theirs.composed.fetchAsService())
  await identity.createAccount({ body: { realm: 'plants', username: 'stranger', password } })
  const token = await signIn('stranger')
  expect((await users(token)).status).toBe(404)
  expect((await ticketFor(token, 'nordwerk')).status).toBe(403)
})

test('the portal learns where its people sign in', async () => {
  const settings = await fetch(`${ours.origin}/portal-settings.json?realm=nordwerk`)
  expect(await settings.json()).toEqual({
    identityUrl: `${theirs.origin}/auth`,
    identityRealm: 'plants',
    origin: ours.origin,
  })
  expect(await (await fetch(`${theirs.origin}/portal-settings.json`)).json()).toEqual({
    origin: theirs.origin,
  })
})
