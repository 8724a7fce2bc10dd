import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { coreContract } from '@longreach/core/contract'
import { client } from '@longreach/kit/client'
import { testDatabase } from '@longreach/kit/test-database'
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compose, type Composed } from './compose.ts'
import { readSettings } from './settings.ts'

const password = 'lake-anvil-violet-7'
const realm = 'nordwerk'
let database: Awaited<ReturnType<typeof testDatabase>>
let folder: string
let origin: string
let servers: { first: Composed; second: Composed }
let running: { close: () => Promise<void> }[]

beforeAll(async () => {
  database = await testDatabase()
  folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-two-'))
  const { host, user, database: name } = database.connection
  const settings = readSettings({
    DATABASE_URL: `postgres://${user}@/${name}?host=${encodeURIComponent(host)}`,
    DATA_DIR: folder,
    PORT: '0',
    MQTT_PORT: '0',
    MASTER_KEY: '7'.repeat(64),
    LOG_LEVEL: 'silent',
    SERVICES: 'identity,core,mappings',
  })
  const first = await compose(settings)
  const second = await compose(settings)
  servers = { first, second }
  await first.app.listen({ port: 0, host: '127.0.0.1' })
  const address = first.app.server.address()
  origin = `http://localhost:${typeof address === 'object' ? address?.port : ''}`
  first.site.origin = origin
  second.site.origin = origin
  running = [await first.start(), await second.start()]
  const core = client(coreContract, await first.fetchAsService())
  await core.createRoot({
    body: { name: realm, label: realm, owner: { username: 'owner', password } },
  })
})
afterAll(async () => {
  for (const one of running ?? []) await one.close()
  await servers?.second.close()
  await servers?.first.close()
  await database?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const at = (way: string) => `${origin}/auth/realms/${realm}/protocol/openid-connect/${way}`

/** Signs in by the plain form and exchanges the session for an access token. */
async function signIn(username: string) {
  const form = { emi_username: `${username}/${realm}`, emi_password: password, ajax: '1' }
  const signedIn = await fetch(`${origin}/manage/access/login`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const code_verifier = randomBytes(32).toString('base64url')
  const ask = {
    client_id: 'portal',
    redirect_uri: `${origin}/`,
    response_type: 'code',
    response_mode: 'fragment',
    scope: `openid org:${realm}`,
    prompt: 'none',
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  const asked = await fetch(`${at('auth')}?${new URLSearchParams(ask)}`, {
    headers: { cookie },
    redirect: 'manual',
  })
  const fragment = new URLSearchParams((asked.headers.get('location') ?? '').split('#')[1])
  const answer = await fetch(at('token'), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: fragment.get('code') ?? '',
      client_id: 'portal',
      redirect_uri: `${origin}/`,
      code_verifier,
    }),
  })
  const tokens = (await answer.json()) as { access_token: string }
  return { cookie, token: tokens.access_token }
}

async function ticketOf(token: string) {
  const answer = await fetch(at('token'), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket',
      audience: 'platform',
      permission: realm,
    }),
    headers: { authorization: `Bearer ${token}` },
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

const status = async (server: keyof typeof servers, token: string) =>
  (
    await servers[server].app.inject({
      url: `/svc/core/api/v1/organizations/${realm}/users`,
      headers: { authorization: `Bearer ${token}` },
    })
  ).statusCode

/** Waits for a status. Five seconds are promised; a busy machine gets more. */
const becomes = async (server: keyof typeof servers, token: string, wanted: number) =>
  await expect.poll(() => status(server, token), { timeout: 30_000, interval: 50 }).toBe(wanted)

async function personWith(username: string, roleName: string) {
  const owner = await signIn('owner')
  const bearer = (input: string | URL | Request, init: RequestInit = {}) => {
    const headers = { ...(init.headers as object), authorization: `Bearer ${owner.token}` }
    return fetch(new URL(String(input), origin), { ...init, headers })
  }
  const core = client(coreContract, bearer)
  const params = { org: realm }
  const user = await core.createUser({ params, body: { username, password } })
  const own = await core.userGroups({ params, query: { userId: user.id, type: 'SELF_USER_ANY' } })
  const roles = await core.roles({ params, query: { pageSize: 500 } })
  const role = roles.content.find(({ name }) => name === roleName)
  const way = { ...params, group: String(own.content[0]?.id), roles: String(role?.id) }
  await core.addGroupRoles({ params: way })
  return { core, way, user }
}

test('a role that is taken away at one server is gone at the other within 5 s (attack 19) [A-01]', async () => {
  const { core, way } = await personWith('ulla', 'app_auditor')
  const { token } = await signIn('ulla')
  const ticket = await ticketOf(token)
  for (const server of ['first', 'second'] as const) {
    expect([server, await status(server, token), await status(server, ticket)]).toEqual([
      server,
      200,
      200,
    ])
  }
  await core.removeGroupRoles({ params: way })
  // On the server that revoked it, it is invalid from the answer on.
  expect([await status('first', token), await status('first', ticket)]).toEqual([403, 403])
  for (const server of ['first', 'second'] as const) {
    await becomes(server, token, 403)
    await becomes(server, ticket, 403)
  }
})

test('a session that ends at one server is dead at the other within 5 s, tickets too (attack 19)', async () => {
  const { cookie, token } = await signIn('owner')
  const ticket = await ticketOf(token)
  expect([await status('second', token), await status('second', ticket)]).toEqual([200, 200])
  await fetch(`${origin}/manage/access/logout`, { method: 'POST', headers: { cookie } })
  for (const server of ['first', 'second'] as const) {
    await becomes(server, token, 401)
    await becomes(server, ticket, 401)
  }
})

test('a person who is deleted is nobody at either server within 5 s (attack 18)', async () => {
  const { core, user } = await personWith('gerd', 'app_auditor')
  const { token } = await signIn('gerd')
  const ticket = await ticketOf(token)
  expect([await status('second', token), await status('second', ticket)]).toEqual([200, 200])
  await core.deleteUser({ params: { org: realm, user: user.id } })
  for (const server of ['first', 'second'] as const) {
    await becomes(server, token, 401)
    await becomes(server, ticket, 401)
  }
})

test('a session that ended while the connection for events was away is dead when it is back', async () => {
  const { cookie, token } = await signIn('owner')
  expect(await status('second', token)).toBe(200)
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query ilike 'listen %'`,
  )
  await fetch(`${origin}/manage/access/logout`, { method: 'POST', headers: { cookie } })
  for (const server of ['first', 'second'] as const) await becomes(server, token, 401)
})
