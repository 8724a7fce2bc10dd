import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import {
  addPerson,
  coreAuthorizer,
  identityForTests,
  seed,
  type Seeded,
  testPassword,
} from '@longreach/core/testing'
import type { Caller } from '@longreach/kit/service'
import { createFabric } from '@longreach/kit/fabric'
import { keptLog, memoryNetwork } from '@longreach/kit/fabric-testing'
import { testNow, type TestServer, testServer } from '@longreach/kit/testing'
import { mappings } from '@longreach/mappings'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiKeyVerifier } from './api-keys.ts'
import { sharedCallRate } from './call-rate.ts'

let server: TestServer
let seeded: Seeded
let clock = testNow.getTime()
let forget = () => undefined as void
const org = 'nordwerk.service'
const params = { org }
const day = 86_400_000

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], {
    admit: coreAuthorizer,
    now: () => new Date(clock),
    authenticate: (fetch, fabric) => {
      const keys = apiKeyVerifier(fetch, fabric, () => clock)
      forget = keys.forget
      return async (token, ip) =>
        token.startsWith('lrk_')
          ? keys.verify(token, ip)
          : (JSON.parse(Buffer.from(token, 'base64url').toString()) as Caller)
    },
  })
  seeded = await seed(server)
})
afterAll(() => server.close())

const as = (caller: Caller) => server.as(caller, coreContract)
let made = 0
/** New person for each test, because an owner may have only two keys. */
const somebody = (...roles: string[]) =>
  addPerson(server, seeded.people.owner, {
    org: seeded.organizations.service,
    username: `maker-${(made += 1)}`,
    roles,
  })

type Ask = { method?: string; headers?: Record<string, string>; body?: unknown; from?: string }
async function ask(path: string, { method = 'GET', headers = {}, body, from }: Ask) {
  forget()
  const answer = await server.app.inject({
    method: method as 'GET',
    url: path,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
    ...(from !== undefined && { remoteAddress: from }),
  })
  return { status: answer.statusCode, text: answer.body, headers: answer.headers }
}
const devices = `/svc/mappings/api/v1/devices?organization=${org}`
const using = (key: string) => ({ headers: { 'x-api-key': key } })
const statusOf = async (path: string, key: string, more: Ask = {}) =>
  (await ask(path, { ...using(key), ...more })).status

test('a key has the form that scanners know and is shown once [E-11] [C-16]', async () => {
  const maker = await somebody('app_operator')
  const key = await as(maker).createApiKey({ params, body: { label: 'Line 3' } })
  expect(key.key).toMatch(/^lrk_dev_\d+_[0-9A-Za-z]{33}_[0-9A-Za-z]{6}$/)
  expect(key).toMatchObject({ orgResourceId: org, label: 'Line 3', username: maker.username })
  expect(key.expiresAt.getTime()).toBe(clock + 90 * day)
  const { content } = await as(maker).apiKeys({ params, query: {} })
  expect(content.map((one) => one.key)).toEqual([`lrk_dev_${key.id}`])
  const { rows } = await server.database.pool.query('select * from core.api_key where id = $1', [
    key.id,
  ])
  expect(JSON.stringify(rows)).not.toContain(key.key.split('_')[3])
})

test('keys come in X-Api-Key, bare and as bearer, and never in the query [P-04] [C-16]', async () => {
  const { key } = await as(await somebody('app_viewer')).createApiKey({ params, body: null })
  for (const headers of [
    { 'x-api-key': key },
    { authorization: key },
    { authorization: `Bearer ${key}` },
  ]) {
    expect((await ask(devices, { headers })).status).toBe(200)
    expect((await ask('/svc/core/api/v1/organizations/mine', { headers })).status).toBe(200)
  }
  for (const name of ['apiKey', 'access_token', 'X-Api-Key']) {
    expect((await ask(`${devices}&${name}=${key}`, {})).status).toBe(401)
  }
  const both = { 'x-api-key': key, authorization: `Bearer ${key}` }
  expect((await ask(devices, { headers: both })).status).toBe(400)
})

test('a key that was changed by one letter is nobody [P-04]', async () => {
  const { key } = await as(await somebody('app_viewer')).createApiKey({ params, body: null })
  const other = (letter: string | undefined) => (letter === 'A' ? 'B' : 'A')
  for (const place of [8, 15, 30, key.length - 1]) {
    const forged = key.slice(0, place) + other(key[place]) + key.slice(place + 1)
    expect(await statusOf(devices, forged)).toBe(401)
  }
  expect(await statusOf(devices, 'lrk_dev_1')).toBe(401)
  expect(await statusOf(devices, `${key}x`)).toBe(401)
})

test('a key has no right beyond its own and none beyond its owner [attack 119] [P-04]', async () => {
  const maker = await somebody('app_operator')
  const { key } = await as(maker).createApiKey({ params, body: { permissions: ['devices:read'] } })
  expect(await statusOf(devices, key)).toBe(200)
  const models = `/svc/mappings/api/v1/models?organization=${org}`
  expect(await statusOf(models, key)).toBe(403)
  const beyond = { permissions: ['devices:read' as const, 'roles:create' as const] }
  await expect(as(maker).createApiKey({ params, body: beyond })).rejects.toMatchObject({
    status: 403,
    code: 'core.beyond_own_rights',
    details: { field: 'permissions' },
  })
  const unknown = { permissions: ['devices:fly' as never] }
  await expect(as(maker).createApiKey({ params, body: unknown })).rejects.toMatchObject({
    status: 400,
  })
  const administrator = as(seeded.people.administrator)
  const groups = await administrator.userGroups({ params, query: { pageSize: 500 } })
  const own = groups.content.find(({ name }) => name === maker.username)
  const roles = await administrator.roles({ params, query: { name: 'app_operator' } })
  await administrator.removeGroupRoles({
    params: { ...params, group: String(own?.id), roles: String(roles.content[0]?.id) },
  })
  expect(await statusOf(devices, key)).toBe(403)
})

test('a key of one organization opens no other [attack 119] [P-04]', async () => {
  const { key } = await as(seeded.people.administrator).createApiKey({ params, body: null })
  expect(await statusOf(devices, key)).toBe(200)
  for (const other of ['nordwerk', 'nordwerk.press', 'acqua', 'acqua.pumps', '*']) {
    const status = await statusOf(`/svc/mappings/api/v1/devices?organization=${other}`, key)
    expect(status).toBe(other === '*' ? 200 : 404)
  }
  const mine = await ask('/svc/core/api/v1/organizations/mine', using(key))
  expect((JSON.parse(mine.text) as { resourceId: string }[]).map((one) => one.resourceId)).toEqual([
    org,
  ])
})

test('below its organization a key has what reaches down from there [P-04]', async () => {
  const { owner, parentPlain } = seeded.people
  const above = { org: 'nordwerk' }
  const reaching = await as(owner).createApiKey({
    params: above,
    body: { permissions: ['devices:read'] },
  })
  expect(await statusOf(devices, reaching.key)).toBe(200)
  const staying = await as(parentPlain).createApiKey({ params: above, body: null })
  expect(await statusOf(devices, staying.key)).toBe(404)
  // A right in an organization below is not a right in the one above.
  const both = await addPerson(server, owner, {
    org: seeded.organizations.nordwerk,
    username: 'both',
    roles: ['app_viewer'],
  })
  await as(owner).createUser({ params, body: { username: 'both', existing: true } })
  const upper = await as(both).createApiKey({ params: above, body: null })
  expect(await statusOf(devices, upper.key)).toBe(404)
})

test('a key administers no people, keys or accounts [attack 119] [P-04]', async () => {
  const maker = await somebody('app_administrator')
  const { key, permissions } = await as(maker).createApiKey({ params, body: null })
  expect(permissions).toContain('users:read')
  expect(permissions).not.toContain('users:update')
  expect(permissions).not.toContain('roles:create')
  const core = `/svc/core/api/v1/organizations/${org}`
  const tries: [string, Ask][] = [
    [`${core}/apiKeys`, {}],
    [`${core}/apiKeys`, { method: 'POST', body: {} }],
    [`${core}/apiKeys/permissions`, {}],
    [`${core}/apiKeys/1`, { method: 'DELETE' }],
    [`${core}/apiKeys/1/rotate`, { method: 'POST', body: {} }],
    [`${core}/users`, { method: 'POST', body: { username: 'intruder' } }],
    [`${core}/userGroups`, { method: 'POST', body: { name: 'intruders' } }],
    [`${core}/roles`, { method: 'POST', body: { name: 'all', label: 'all' } }],
    ['/svc/core/api/v1/users/oskar/exists', {}],
    ['/svc/core/api/v1/internal/roots', {}],
  ]
  const answers: [string, number][] = []
  for (const [path, how] of tries) answers.push([path, await statusOf(path, key, how)])
  expect(answers.filter(([, status]) => status !== 403)).toEqual([])
})

test('removing, expelling or disabling the owner kills the key [attack 119] [E-11]', async () => {
  const maker = await somebody('app_viewer')
  const { key, id } = await as(maker).createApiKey({ params, body: null })
  expect(await statusOf(devices, key)).toBe(200)
  const administrator = as(seeded.people.administrator)
  const found = await administrator.users({ params, query: { username: maker.username } })
  const user = String(found.content[0]?.id)
  await administrator.deleteUser({ params: { ...params, user } })
  expect(await statusOf(devices, key)).toBe(401)
  const { rows } = await server.database.pool.query('select from core.api_key where id = $1', [id])
  expect(rows).toEqual([])

  const other = await somebody('app_viewer')
  const second = await as(other).createApiKey({ params, body: null })
  await server.database.pool.query('update core.app_user set enabled = false where sub = $1', [
    other.sub,
  ])
  expect(await statusOf(devices, second.key)).toBe(401)
})

test('a revoked or expired key is nobody at once [attack 119] [C-16]', async () => {
  const maker = await somebody('app_viewer')
  const one = await as(maker).createApiKey({ params, body: { validForDays: 1 } })
  const two = await as(maker).createApiKey({ params, body: null })
  await as(maker).deleteApiKey({ params: { ...params, apiKey: String(two.id) } })
  expect(await statusOf(devices, two.key)).toBe(401)
  clock += day
  expect(await statusOf(devices, one.key)).toBe(401)
  await expect(
    as(maker).deleteApiKey({ params: { ...params, apiKey: String(two.id) } }),
  ).rejects.toMatchObject({ status: 404 })
  clock -= day
  for (const validForDays of [0, 366, 1.5]) {
    await expect(as(maker).createApiKey({ params, body: { validForDays } })).rejects.toMatchObject({
      status: 400,
    })
  }
})

test('an owner has two live keys, also when three are asked for at once [E-11] [C-16]', async () => {
  const maker = await somebody('app_viewer')
  const three = await Promise.allSettled(
    [1, 2, 3].map(() => as(maker).createApiKey({ params, body: null })),
  )
  expect(three.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(three.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { status: 409, code: 'core.too_many_keys' },
  })
})

test('a rotated key works for a while beside the next one [C-16]', async () => {
  const maker = await somebody('app_operator')
  const body = { label: 'ERP', permissions: ['devices:read' as const], addresses: ['10.0.0.0/8'] }
  const old = await as(maker).createApiKey({ params, body })
  const next = await as(maker).rotateApiKey({
    params: { ...params, apiKey: String(old.id) },
    body: { overlapHours: 2 },
  })
  expect(next).toMatchObject(body)
  const from = '10.1.2.3'
  expect(await statusOf(devices, old.key, { from })).toBe(200)
  expect(await statusOf(devices, next.key, { from })).toBe(200)
  clock += 2 * 3_600_000
  expect(await statusOf(devices, old.key, { from })).toBe(401)
  expect(await statusOf(devices, next.key, { from })).toBe(200)
  clock -= 2 * 3_600_000
})

test('a key with addresses works from there alone; its last use is known [C-16]', async () => {
  const maker = await somebody('app_viewer')
  const addresses = ['192.0.2.7', '2001:db8::/32']
  const { key } = await as(maker).createApiKey({ params, body: { addresses } })
  expect((await as(maker).apiKeys({ params, query: {} })).content[0]?.lastUsedAt).toBeNull()
  expect(await statusOf(devices, key, { from: '192.0.2.7' })).toBe(200)
  expect(await statusOf(devices, key, { from: '2001:db8::9' })).toBe(200)
  expect(await statusOf(devices, key, { from: '192.0.2.8' })).toBe(403)
  const { content } = await as(maker).apiKeys({ params, query: {} })
  expect(content[0]).toMatchObject({ lastUsedAt: new Date(clock) })
  await expect(
    as(maker).createApiKey({ params, body: { addresses: ['everywhere'] } }),
  ).rejects.toMatchObject({ status: 400 })
})

test('an administrator sees and ends every key; others their own [C-16] [A-05]', async () => {
  const { administrator, foreigner, neighbour } = seeded.people
  const maker = await somebody('app_viewer')
  const key = await as(maker).createApiKey({ params, body: null })
  const other = await somebody('app_viewer')
  const apiKey = String(key.id)
  expect((await as(other).apiKeys({ params, query: {} })).content).toEqual([])
  const one = { params: { ...params, apiKey } }
  await expect(as(other).deleteApiKey(one)).rejects.toMatchObject({ status: 404 })
  for (const stranger of [foreigner, neighbour]) {
    await expect(as(stranger).deleteApiKey(one)).rejects.toMatchObject({ status: 404 })
    const home = stranger === foreigner ? 'acqua' : 'nordwerk.press'
    const there = { params: { org: home, apiKey } }
    await expect(as(stranger).deleteApiKey(there)).rejects.toMatchObject({ status: 404 })
  }
  const query = { username: maker.username }
  expect((await as(administrator).apiKeys({ params, query })).content).toHaveLength(1)
  await as(administrator).deleteApiKey(one)
  expect(await statusOf(devices, key.key)).toBe(401)
})

test('a key for a service account is made by who administers it [E-11]', async () => {
  const { administrator, viewer } = seeded.people
  const robot = { username: 'robot', serviceAccount: true, password: testPassword }
  await as(administrator).createUser({ params, body: robot })
  const body = { username: 'robot' }
  await expect(as(viewer).createApiKey({ params, body })).rejects.toMatchObject({ status: 403 })
  await expect(as(administrator).createApiKey({ params, body })).rejects.toMatchObject({
    code: 'core.beyond_own_rights', // the group has no role yet
  })
  await expect(
    as(administrator).createApiKey({ params, body: { username: 'nobody' } }),
  ).rejects.toMatchObject({ status: 422, details: { field: 'username' } })
  // Nobody can make a key for a person with more rights than their own.
  const dealer = await somebody('app_dealer')
  await expect(
    as(dealer).createApiKey({ params, body: { username: administrator.username } }),
  ).rejects.toMatchObject({ status: 403, code: 'core.beyond_own_rights' })
})

test('making and ending a key stands in the audit trail without the key [C-16]', async () => {
  const maker = await somebody('app_viewer')
  const key = await as(maker).createApiKey({ params, body: { label: 'trail' } })
  await as(maker).deleteApiKey({ params: { ...params, apiKey: String(key.id) } })
  const { rows } = await server.database.pool.query<{ payload: { action: string } }>(
    `select payload from bus.event where topic = 'audit.recorded'
     and payload->>'resource' = 'apikeys' and payload->>'label' = 'trail' order by id`,
  )
  expect(rows.map(({ payload }) => payload.action)).toEqual(['create', 'delete'])
  expect(JSON.stringify(rows)).not.toContain(key.key)
})

test('a key that asks too often waits, and hears how long [P-04]', () => {
  let time = 0
  const fabric = createFabric({ instance: 'one', log: keptLog().log })
  const rate = sharedCallRate({ perMinute: 60, atOnce: 2 }, fabric, () => time)
  expect([rate.waitS(1), rate.waitS(1), rate.waitS(1), rate.waitS(2)]).toEqual([0, 0, 1, 0])
  time = 500
  expect(rate.waitS(1)).toBe(1)
  time = 1_000
  expect(rate.waitS(1)).toBe(0)
})

test('calls of a key at several processes count together [P-04]', async () => {
  const network = memoryNetwork()
  const atOnce = 2_000
  const [first, second] = [1, 2].map(() => {
    const fabric = createFabric({ instance: 'one', log: keptLog().log, wire: network.wire() })
    return sharedCallRate({ perMinute: 60, atOnce }, fabric, () => 0)
  })
  for (let call = 0; call < atOnce; call += 1) expect(first?.waitS(1)).toBe(0)
  // The calls of the question itself are far fewer than the burst.
  await expect.poll(() => second?.waitS(1), { timeout: 20_000 }).toBeGreaterThan(0)
  expect(second?.waitS(3)).toBe(0)
})

test('too many calls answer 429 with Retry-After [P-04]', async () => {
  const { key } = await as(await somebody('app_viewer')).createApiKey({ params, body: null })
  const answers = []
  for (let call = 0; call <= 300; call += 1) {
    answers.push(
      await server.app.inject({ url: '/svc/core/api/v1/instance', headers: { 'x-api-key': key } }),
    )
  }
  const refused = answers.at(-1)
  expect(refused?.statusCode).toBe(429)
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
  expect(answers.slice(0, 300).every(({ statusCode }) => statusCode === 200)).toBe(true)
})

test('a key with narrow permissions reaches only what they name [P-04]', async () => {
  const maker = await somebody('app_administrator')
  const narrow = await as(maker).createApiKey({ params, body: { permissions: ['models:read'] } })
  const core = `/svc/core/api/v1/organizations/${org}`
  const preference = { method: 'POST', body: { serviceName: 'x', value: 'y' } }
  const tries: [string, Ask][] = [
    [`${core}/tree`, {}],
    [`${core}/organizations`, {}],
    [`${core}/grants`, {}],
    [`${core}/userPreferences`, {}],
    [`${core}/userPreferences`, preference],
    [`${core}/userGroups/mine/members`, {}],
    [`${core}/apiKeys`, {}],
    ['/svc/core/api/v1/account', {}],
    ['/svc/core/api/v1/invitations', {}],
    ['/svc/core/api/v1/users/mine/services/portal/properties/locale', {}],
    [devices, {}],
  ]
  for (const [path, how] of tries) {
    expect([path, await statusOf(path, narrow.key, how)]).toEqual([path, 403])
  }
  expect(await statusOf(`/svc/mappings/api/v1/models?organization=${org}`, narrow.key)).toBe(200)
  expect(await statusOf(core, narrow.key)).toBe(200)
  const wide = await as(maker).createApiKey({
    params,
    body: { permissions: ['organizations:read', 'devices:read'] },
  })
  expect(await statusOf(`${core}/tree`, wide.key)).toBe(200)
  expect(await statusOf(devices, wide.key)).toBe(200)
})

test('a key sees the jobs that it started, and none of its owner [P-04]', async () => {
  const maker = await somebody('app_administrator')
  const { key } = await as(maker).createApiKey({ params, body: { permissions: ['models:read'] } })
  const { rows } = await server.database.pool.query<{ id: number }>(
    `insert into bus.job (service, kind, label, organization, subtree, sub, caller, input, state)
     values ('mappings', 'none', 'mine', $1, false, $2, '{}', '{}', 'DONE') returning id`,
    [org, maker.sub],
  )
  const jobs = `/svc/mappings/api/v1/jobs`
  const asked = await ask(`${jobs}?organization=${org}`, using(key))
  expect([asked.status, JSON.parse(asked.text)]).toEqual([200, { data: [] }])
  const one = `${jobs}/${rows[0]!.id}`
  expect(await statusOf(`${one}/cancel?organization=${org}`, key, { method: 'POST' })).toBe(404)
  expect(await statusOf(`${one}?organization=${org}`, key)).toBe(404)
  await server.database.pool.query(`update bus.job set caller = $1 where id = $2`, [
    JSON.stringify({ apiKey: { id: Number(key.split('_')[2]) } }),
    rows[0]!.id,
  ])
  expect(await statusOf(`${one}?organization=${org}`, key)).toBe(200)
})

test('a key that names no permissions changes no organizations and reads no trail [C-16]', async () => {
  const maker = await somebody('app_administrator')
  const { key, permissions } = await as(maker).createApiKey({ params, body: null })
  expect(permissions).toContain('devices:update')
  const named = ['organizations:update', 'audit:access'] as const
  for (const one of named) expect(permissions).not.toContain(one)
  expect(await statusOf(devices, key)).toBe(200)
  const all = await as(maker).createApiKey({ params, body: { permissions: [...named] } })
  expect(all.permissions.toSorted()).toEqual(named.toSorted())
})
