import { auditContract } from '@longreach/audit/contract'
import { coreContract } from '@longreach/core/contract'
import { coreAuthorizer, seed, type Seeded, testPassword } from '@longreach/core/testing'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { mappingsContract } from '@longreach/mappings/contract'
import { platformContract } from '@longreach/platform/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chosenServices } from './services.ts'

let server: TestServer
let seeded: Seeded
const org = 'nordwerk.service'
const params = { org }
/** Secret values that were sent or answered. */
const secrets: string[] = [testPassword]
const password = 'canary pass phrase 5e1f'

beforeAll(async () => {
  server = await testServer(await chosenServices(undefined), { admit: coreAuthorizer })
  seeded = await seed(server)
  secrets.push(password)
})
afterAll(() => server.close())

const core = () => server.as(seeded.people.administrator, coreContract)
const linesOf = async (call: string) => {
  await server.settle()
  const query = { organization: `${org}.*`, pageSize: 500 }
  const { data } = await server.as(seeded.people.administrator, auditContract).search({ query })
  return data.filter((line) => line.call === call)
}

const counts = (...calls: string[]) =>
  Promise.all(calls.map(async (call) => (await linesOf(`core.${call}`)).length))

test('people, their passwords and their accounts leave lines [A-02 in part]', async () => {
  const { id } = await core().createUser({
    params,
    body: { username: 'petra', password, lastName: 'Petersen' },
  })
  const user = String(id)
  await core().updateUser({ params: { ...params, user }, body: { password: `${password} 2` } })
  await core().updateUser({ params: { ...params, user }, body: { lastName: 'Peters' } })
  await core().deleteUser({ params: { ...params, user } })
  const [made] = await linesOf('core.createUser')
  expect(made).toMatchObject({ resource: 'users', target: user, label: 'petra', outcome: 'done' })
  expect(made?.actor).toMatchObject({ kind: 'user', username: 'adam' })
  expect((await linesOf('core.updateUser')).length).toBeGreaterThanOrEqual(2)
  expect(await linesOf('core.deleteUser')).toMatchObject([{ target: user }])
})

test('API keys leave lines without the keys', async () => {
  const made = await core().createApiKey({ params, body: { label: 'press line' } })
  secrets.push(made.key)
  const key = { ...params, apiKey: String(made.id) }
  const next = await core().rotateApiKey({ params: key, body: {} })
  secrets.push(next.key)
  await core().deleteApiKey({ params: key })
  expect(await counts('createApiKey', 'rotateApiKey', 'deleteApiKey')).toEqual([1, 1, 1])
})

test('service accounts leave lines without their secrets', async () => {
  const made = await core().createUser({
    params,
    body: { username: 'robot', serviceAccount: true },
  })
  if (made.serviceAccountSecret) secrets.push(made.serviceAccountSecret)
  expect(secrets.length).toBeGreaterThan(2)
  const client = made.serviceAccountClient ?? ''
  const fresh = await core().renewClientSecret({ params: { ...params, client } })
  secrets.push(fresh.clientSecret)
  expect((await linesOf('core.renewClientSecret')).length).toBe(1)
})

test('devices, their keys and tokens to move them leave lines without those', async () => {
  const query = { organization: org }
  const mappings = server.as(seeded.people.administrator, mappingsContract)
  const { id } = await mappings.createDevice({ query, body: { label: 'Oven 7' } })
  await server.settle()
  const platform = server.as(seeded.people.administrator, platformContract)
  const { activationKey } = await platform.issueActivationKey({
    params: { ...params, deviceId: id },
    body: {},
  })
  secrets.push(activationKey)
  const { token } = await core().createImportToken({ params })
  secrets.push(token)
  expect(await linesOf('mappings.createDevice')).toMatchObject([{ target: id, label: 'Oven 7' }])
  expect(await linesOf('platform.issueActivationKey')).toMatchObject([{ target: id }])
  expect((await linesOf('core.createImportToken')).length).toBe(1)
  const asked = server.as(seeded.people.viewer, coreContract)
  await expect(asked.importToken({ params: { ...params, token } })).rejects.toMatchObject({
    status: 403,
  })
  await expect
    .poll(() => linesOf('core.importToken'))
    .toMatchObject([{ outcome: 'refused', target: '***', actor: { username: expect.any(String) } }])
})

test('groups, roles, policies and organizations leave lines with before and after', async () => {
  const rules = [{ resource: 'devices' as const, actions: ['read' as const] }]
  const role = await core().createRole({ params, body: { name: 'r1', label: 'R', rules } })
  const group = await core().createUserGroup({ params, body: { name: 'g1' } })
  const of = { ...params, group: String(group.id) }
  await core().addGroupRoles({ params: { ...of, roles: String(role.id) } })
  await core().removeGroupRoles({ params: { ...of, roles: String(role.id) } })
  await core().deleteUserGroup({ params: of })
  await core().deleteRole({ params: { ...params, role: String(role.id) }, query: {} })
  const policy = await core().createSecurityPolicy({ params, body: { name: 'p1' } })
  await core().deleteSecurityPolicy({ params: { ...params, policy: String(policy.id) } })
  await core().createOrganization({ params, query: {}, body: { name: 'sub', label: 'Sub' } })
  expect(await counts('createRole', 'deleteRole')).toEqual([1, 1])
  expect(await counts('createUserGroup', 'deleteUserGroup')).toEqual([1, 1])
  expect(await counts('addGroupRoles', 'removeGroupRoles')).toEqual([expect.any(Number), 1])
  expect(await counts('createSecurityPolicy', 'deleteSecurityPolicy')).toEqual([1, 1])
  expect(await counts('createOrganization')).toEqual([1])
})

test('a bad credential and a foreign organization are refused on a line each', async () => {
  const url = `/svc/core/api/v1/organizations/${org}/users`
  await server.app.inject({ url, headers: { authorization: 'Bearer canary-bad-token' } })
  await server.fetchAs(seeded.people.foreigner)(url)
  secrets.push('canary-bad-token')
  const codes = async () => (await linesOf('core.users')).map(({ code }) => code)
  await expect.poll(codes).toEqual(['auth.no_such_organization'])
  // A caller who is not signed in can name any organization, so their entries belong to the
  // installation.
  const unplaced = async () => {
    const { rows } = await server.database.pool.query<{ code: string; actor_kind: string }>(
      `select code, actor_kind from audit.entry where call = 'core.users' and organization = ''`,
    )
    return rows
  }
  await expect.poll(unplaced).toEqual([{ code: 'auth.not_signed_in', actor_kind: 'nobody' }])
})

test('none of these secrets stands in the trail or among the events', async () => {
  await server.settle()
  const { rows } = await server.database.pool.query<{ text: string }>(
    `select row_to_json(e)::text as text from audit.entry e
     union all select row_to_json(b)::text from bus.event b`,
  )
  expect(rows.length).toBeGreaterThan(40)
  expect(secrets.length).toBeGreaterThan(7)
  const words = (secret: string) => [secret, ...secret.split(/[^\p{L}\p{N}]+/u)]
  const telling = secrets.flatMap(words).filter((text) => text.length > 12)
  const leaks = telling.filter((secret) => rows.some(({ text }) => text.includes(secret)))
  expect(leaks).toEqual([])
})
