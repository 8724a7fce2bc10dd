import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Ask, asker, bearer } from './asking.ts'
import { openLive } from './live.ts'
import {
  core,
  listed,
  make,
  newDevices,
  ok,
  refused,
  tenantWorld,
  type TenantWorld,
} from './tenant-world.ts'

let world: TenantWorld
let as: TenantWorld['as']
beforeAll(async () => {
  world = await tenantWorld()
  ;({ as } = world)
})
afterAll(() => world.longreach.stop())

type Key = { id: number; key: string; permissions: string[] }
const keys = `${core('nordwerk')}/apiKeys`
const withKey = (key: string): Ask => asker(world.url, { 'x-api-key': key })
/** A key that goes with the test, for an owner has two of them at most. */
async function newKey(ask: Ask, body: object = {}, path = keys) {
  const made = await make<Key>(ask, path, body)
  onTestFinished(async () => void (await ask('DELETE', `${path}/${made.id}`)))
  return made
}
const devicesOf = (organization: string) => `mappings/api/v1/devices?organization=${organization}`

test('attack 119: a key of one organization is nobody in another one, also where its owner may go', async () => {
  const { key } = await newKey(as.anna.ask)
  const ask = withKey(key)
  await ok(ask('GET', devicesOf('nordwerk')))
  for (const path of [
    devicesOf('acqua'),
    devicesOf('acqua.*'),
    core('acqua'),
    `${core('acqua')}/users`,
    'audit/api/v1/entries?organization=acqua',
    `platform/api/v1/organizations/acqua/devices/${world.foreign.device}/tags?modelPath=**`,
    `mappings/api/v1/devices/${world.foreign.device}?organization=nordwerk`,
  ]) {
    await refused(ask('GET', path), 404)
  }
  // Paola joins nordwerk's tree nowhere; her key does not either.
  const theirs = await newKey(as.paola.ask, {}, `${core('acqua')}/apiKeys`)
  await refused(withKey(theirs.key)('GET', devicesOf('nordwerk')), 404)
  await refused(
    as.paola.ask('DELETE', `${core('acqua')}/apiKeys/${(await newKey(as.tom.ask)).id}`),
    404,
  )
})

test('attack 119: a key that was deleted, or whose owner left or was disabled, ends at once', async () => {
  const deleted = await newKey(as.eva.ask, {}, `${core('nordwerk.sonnenkorn')}/apiKeys`)
  const ask = withKey(deleted.key)
  await ok(ask('GET', devicesOf('nordwerk.sonnenkorn')))
  await ok(as.eva.ask('DELETE', `${core('nordwerk.sonnenkorn')}/apiKeys/${deleted.id}`))
  await refused(ask('GET', devicesOf('nordwerk.sonnenkorn')), 401)
  const people = `${core('nordwerk')}/users`
  for (const [username, end] of [
    ['removed', (id: number) => as.anna.ask('DELETE', `${people}/${id}`)],
    ['disabled', (id: number) => as.anna.ask('PUT', `${people}/${id}`, { enabled: false })],
    ['dissolved', (id: number) => as.anna.ask('DELETE', `${people}/${id}/account`)],
  ] as const) {
    const owner = await world.join('nordwerk', username, 'app_operator')
    const { key } = await newKey(owner.ask)
    await ok(withKey(key)('GET', devicesOf('nordwerk')))
    await ok(end(owner.id))
    await refused(withKey(key)('GET', devicesOf('nordwerk')), 401, 404)
    await refused(owner.ask('GET', devicesOf('nordwerk')), 401, 404)
  }
})

test('attack 119: a key has no right beyond its own list and its owner, and gives itself none', async () => {
  const small = await newKey(as.anna.ask, { permissions: ['devices:read', 'users:read'] })
  const ask = withKey(small.key)
  await ok(ask('GET', devicesOf('nordwerk')))
  const device = world.own.device
  await refused(ask('DELETE', `mappings/api/v1/devices/${device}?organization=nordwerk`), 403)
  await refused(ask('GET', `${core('nordwerk')}/roles`), 403)
  await refused(ask('PUT', `${keys}/${small.id}`, { permissions: ['devices:delete'] }), 404, 405)
  await refused(ask('PATCH', `${keys}/${small.id}`, { permissions: ['devices:delete'] }), 404, 405)
  // A key never has more rights than the person who makes it.
  const viewer = await newKey(as.max.ask, {}, `${core('nordwerk.sonnenkorn')}/apiKeys`)
  expect(viewer.permissions.filter((one) => !one.endsWith(':read'))).toEqual(
    viewer.permissions.filter((one) => one === 'portal:access'),
  )
  const beyond = { permissions: ['devices:delete'] }
  await refused(as.max.ask('POST', `${core('nordwerk.sonnenkorn')}/apiKeys`, beyond), 403, 422)
})

test('attack 119: with a key nobody makes keys, people, roles or gets at accounts', async () => {
  const { key, id } = await newKey(as.anna.ask)
  const ask = withKey(key)
  const person = { username: 'byakey', password: 'a long pass phrase 7' }
  const owner = (await listed(as.anna.ask, `${core('nordwerk')}/roles?name=app_owner`))[0]?.id ?? 0
  const tries: [string, string, unknown?][] = [
    ['POST', keys, {}],
    ['POST', keys, { username: 'tom' }],
    ['POST', `${keys}/${id}/rotate`, {}],
    ['DELETE', `${keys}/${id}`],
    ['POST', `${core('nordwerk')}/users`, person],
    ['PUT', `${core('nordwerk')}/users/${world.own.user}`, { password: 'quite another phrase 8' }],
    ['POST', `${core('nordwerk')}/users/${world.own.user}/impersonation`],
    ['POST', `${core('nordwerk')}/roles`, { name: 'k', label: 'k', rules: [] }],
    ['POST', `${core('nordwerk')}/userGroups/${world.own.group}/roles/${owner}`],
    ['GET', 'core/api/v1/account'],
    ['PATCH', 'core/api/v1/account', { firstName: 'taken' }],
  ]
  for (const [method, path, body] of tries) await refused(ask(method, path, body), 401, 403)
  const realm = `${world.url}/auth/realms/nordwerk`
  for (const path of ['/account', '/protocol/openid-connect/userinfo']) {
    const answer = await fetch(realm + path, { headers: bearer(key) })
    expect([401, 403]).toContain(answer.status)
  }
})

test('attack 119: a key counts in a header, once, and nowhere else', async () => {
  const { key } = await newKey(as.anna.ask)
  const nobody = asker(world.url)
  for (const name of ['key', 'apiKey', 'api_key', 'x-api-key', 'access_token', 'token'])
    await refused(nobody('GET', `${devicesOf('nordwerk')}&${name}=${key}`), 401)
  await refused(nobody('GET', devicesOf('nordwerk'), undefined, { cookie: `apiKey=${key}` }), 401)
  const two = { 'x-api-key': key, ...bearer(as.paola.access_token) }
  await refused(nobody('GET', devicesOf('nordwerk'), undefined, two), 400)
  for (const wrong of [
    key.slice(0, -1),
    `${key}x`,
    key.toUpperCase(),
    `${key},${key}`,
    `lrk_${randomBytes(40).toString('hex')}`,
    'lrk_',
    `${key.slice(0, -8)}${'a'.repeat(8)}`,
  ]) {
    await refused(withKey(wrong)('GET', devicesOf('nordwerk')), 401)
  }
  const live = await openLive(world.url)
  live.send({ op: 'hello', token: key, organization: 'acqua' })
  expect([4401, 4403]).toContain(await live.closed)
  // A list shows no key in whole, and the log none at all.
  expect((await ok(as.anna.ask('GET', keys))).text).not.toContain(key)
  expect(world.longreach.output()).not.toContain(key.slice(12))
})

/** The same call many times at once: how often which status. */
async function atOnce(count: number, call: () => ReturnType<Ask>) {
  const answers = await Promise.all(Array.from({ length: count }, call))
  const by = new Map<number, number>()
  for (const { status } of answers) by.set(status, (by.get(status) ?? 0) + 1)
  return Object.fromEntries(by)
}

test('attack 120 and 121: the same thing made many times at once exists once (licences and limits wait)', async () => {
  const { ask } = as.anna
  const password = 'a long pass phrase 7'
  for (const [path, body] of [
    [core('nordwerk'), { name: 'twins' }],
    [`${core('nordwerk')}/users`, { username: 'twin', password }],
    [`${core('nordwerk')}/roles`, { name: 'twin', label: 'Twin', rules: [] }],
    [`${core('nordwerk')}/securityPolicies`, { name: 'twin' }],
    [`${core('nordwerk')}/userGroups`, { name: 'twin' }],
  ] as const) {
    expect(await atOnce(8, () => ask('POST', path, body))).toEqual({ 201: 1, 409: 7 })
  }
  // One account, asked for in two organizations at once.
  const joined = await Promise.all(
    ['nordwerk.alpdrive', 'nordwerk.sonnenkorn'].map((org) =>
      ask('POST', `${core(org)}/users`, { username: 'racer', password }),
    ),
  )
  expect(joined.map(({ status }) => status).toSorted()).toEqual([201, 409])
  // An owner has two keys at most.
  const made = await atOnce(8, () => as.tom.ask('POST', keys, {}))
  const held = await ok(as.tom.ask('GET', `${keys}?username=tom`))
  expect(held.json<{ totalElements: number }>().totalElements).toBeLessThanOrEqual(2)
  expect(Object.keys(made).toSorted()).toEqual(['201', '409'])
})

test('attack 121: an import token used twice at once moves one device', async () => {
  const { ask } = as.anna
  const labels = ['racing a', 'racing b', 'racing c', 'racing d']
  const ids = await newDevices(ask, labels)
  const path = `${core('nordwerk.alpdrive')}/importToken`
  const { token: organizationImportToken } = await make<{ token: string }>(ask, path, {})
  const moved = await Promise.all(
    ids.map((id) =>
      ask('POST', `${core('nordwerk')}/devices/${id}/move`, { organizationImportToken }),
    ),
  )
  expect(moved.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422])
  const there = await ok(ask('GET', `${devicesOf('nordwerk.alpdrive')}&search=racing`))
  expect(there.json<{ totalElements: number }>().totalElements).toBe(1)
})

test('attack 122: what is in use is not deleted, and what was deleted does not come back under its id', async () => {
  const { ask } = as.anna
  const rule = { resource: 'devices', actions: ['read'], deviceGroup: null as number | null }
  const policies = `${core('nordwerk')}/securityPolicies`
  const roles = `${core('nordwerk')}/roles`
  const policy = (await make(ask, policies, { name: 'used' })).id
  const rules = [{ ...rule, deviceGroup: policy }]
  const role = (await make(ask, roles, { name: 'used', label: 'Used', rules })).id
  const user = await world.join('nordwerk', 'holder', 'used')
  await refused(ask('DELETE', `${roles}/${role}`), 409)
  const [device] = await newDevices(ask, ['kept'])
  await refused(
    ask('DELETE', `mappings/api/v1/presets/${world.own.preset}?organization=nordwerk`),
    409,
  )
  await refused(
    ask('DELETE', `mappings/api/v1/models/${world.own.model}?organization=nordwerk`),
    409,
  )
  // Deleting while others use it: no answer of a broken server, and one deletion.
  const gone = await atOnce(6, () =>
    ask('DELETE', `mappings/api/v1/devices/${device}?organization=nordwerk`),
  )
  expect(gone).toEqual({ 200: 1, 404: 5 })
  expect(await atOnce(4, () => ask('DELETE', `${roles}/${role}?force=true`))).toEqual({
    204: 1,
    404: 3,
  })
  await refused(user.ask('GET', devicesOf('nordwerk')), 403, 404)
  const again = (await make(ask, roles, { name: 'used', label: 'Used', rules: [] })).id
  expect(again).not.toBe(role)
  await refused(ask('GET', `${roles}/${role}`), 404)
  // The new role of the old name is not given to who had the old one.
  await refused(user.ask('GET', devicesOf('nordwerk')), 403, 404)
  const account = `${core('nordwerk')}/users`
  await ok(ask('DELETE', `${account}/${user.id}/account`))
  const second = await world.join('nordwerk', 'holder', 'app_viewer')
  expect(second.id).not.toBe(user.id)
  await refused(user.ask('GET', devicesOf('nordwerk')), 401, 404)
  await make(ask, core('nordwerk'), { name: 'passing' })
  await ok(ask('DELETE', core('nordwerk.passing')))
  await refused(ask('POST', core('nordwerk'), { name: 'passing' }), 409)
})

test('attack 123: who guesses import tokens has to wait', async () => {
  const { ask } = as.tom
  const guess = () => randomBytes(32).toString('base64url')
  const answers: number[] = []
  for (let at = 0; at < 30; at += 1) {
    const { status, text } = await ask('GET', `${core('nordwerk')}/importToken/${guess()}`)
    answers.push(status)
    expect(text).not.toMatch(/acqua|alpdrive/)
  }
  expect(answers.at(-1)).toBe(429)
  const { token } = await make<{ token: string }>(
    as.anna.ask,
    `${core('nordwerk')}/importToken`,
    {},
  )
  // Even the right token is refused now, and other people are not affected.
  await refused(ask('GET', `${core('nordwerk')}/importToken/${token}`), 429)
  await ok(as.anna.ask('GET', `${core('nordwerk')}/importToken/${token}`))
})

test('attack 123: open calls tell no names of organizations or people', async () => {
  const nobody = asker(world.url)
  const login = (query: string) => nobody('GET', `core/api/v1/organizations/loginInfo?${query}`)
  const known = await login('hostname=app.example.org&realm=nordwerk')
  const unknown = await login('hostname=app.example.org&realm=nowhere')
  const below = await login('hostname=app.example.org&realm=nordwerk.sonnenkorn')
  for (const { text } of [known, unknown, below])
    expect(text).not.toMatch(/Nordwerk Ovens|"id"|anna/)
  for (const name of ['anna', 'paola', 'nobody-ever'])
    await refused(nobody('GET', `core/api/v1/users/${name}/exists`), 401)
  // In the caller's own realm the answer is about the realm, so that people of other realms stay
  // unknown.
  const asked = await Promise.all(
    ['paola', 'nobody-ever', 'anna'].map((name) =>
      as.max.ask('GET', `core/api/v1/users/${name}/exists`),
    ),
  )
  expect(asked.map(({ text }) => text)).toEqual(['false', 'false', 'true'])
})
