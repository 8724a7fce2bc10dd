import { identity } from '@longreach/identity'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { coreAuthorizer, seed, type Seeded } from '../testing.ts'

let server: TestServer
let seeded: Seeded
const org = 'nordwerk.service'

beforeAll(async () => {
  server = await testServer([identity, core], { admit: coreAuthorizer })
  seeded = await seed(server)
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people'], more = {}) =>
  server.as({ ...seeded.people[who], ...more }, coreContract)
const idOf = async (username: string) =>
  (await as('owner').users({ params: { org }, query: { username } })).content[0]?.id ?? 0
const impersonator = { sub: 'x', username: 'boss@nordwerk' }

test('an administrator gets a link to act as a person, and the trail says so', async () => {
  const user = await idOf('oskar')
  const { url } = await as('administrator').impersonateUser({ params: { org, user } })
  expect(url).toContain('/auth/realms/nordwerk/login-actions/impersonate/')
  const { rows } = await server.database.pool.query<{ payload: Record<string, unknown> }>(
    `select payload from bus.event where topic = 'audit.recorded' order by id desc limit 1`,
  )
  expect(rows[0]?.payload).toMatchObject({
    action: 'impersonate',
    label: 'oskar',
    organization: org,
    actor: { username: 'adam' },
  })
  expect(JSON.stringify(rows)).not.toContain(url.split('/').at(-1))
})

test('acting as somebody needs the right to change them and all of theirs', async () => {
  const user = await idOf('adam')
  for (const who of ['viewer', 'operator', 'member', 'parentInherit'] as const) {
    await expect(as(who).impersonateUser({ params: { org, user } })).rejects.toMatchObject({
      status: 403,
    })
  }
  const top = await as('owner').users({ params: { org: 'nordwerk' }, query: { username: 'owner' } })
  const params = { org: 'nordwerk', user: top.content[0]?.id ?? 0 }
  await expect(as('administrator').impersonateUser({ params })).rejects.toMatchObject({
    status: 404,
  })
  for (const who of ['foreigner', 'neighbour'] as const) {
    await expect(as(who).impersonateUser({ params: { org, user } })).rejects.toMatchObject({
      status: 404,
    })
  }
})

test('nobody acts as themselves, as a stranger, by a key or through somebody', async () => {
  const user = await idOf('oskar')
  const own = await idOf('adam')
  const rejected = async (call: Promise<unknown>, status: number, code: string) =>
    expect(call).rejects.toMatchObject({ status, code })
  const ask = (who: number, more = {}) =>
    as('administrator', more).impersonateUser({ params: { org, user: who } })
  await rejected(ask(own), 422, 'core.cannot_impersonate')
  await rejected(ask(999_999), 404, 'core.not_found')
  await rejected(ask(user, { serviceAccount: true }), 422, 'core.cannot_impersonate')
  await rejected(ask(user, { impersonator }), 403, 'auth.impersonating')
})

test('who acts as somebody changes neither their address nor their password', async () => {
  const user = await idOf('adam')
  for (const body of [{ email: 'other@example.org' }, { password: 'another long phrase 8' }]) {
    const call = as('administrator', { impersonator }).updateUser({ params: { org, user }, body })
    await expect(call).rejects.toMatchObject({ status: 403, code: 'auth.impersonating' })
  }
})
