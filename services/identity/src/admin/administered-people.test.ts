import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import { coreAuthorizer, seed, type Seeded, testPassword } from '@longreach/core/testing'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { identity } from '../service.ts'
import { pkce, signInTo, testBrowser } from '../testing.ts'

let server: TestServer
let seeded: Seeded
let origin: string
const org = 'nordwerk.service'
const params = { org }

beforeAll(async () => {
  server = await testServer([core, identity], { admit: coreAuthorizer, now: () => new Date() })
  const listening = await server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = listening.replace('127.0.0.1', 'localhost')
  server.site.origin = origin
  seeded = await seed(server)
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], coreContract)
const idOf = async (username: string) =>
  (await as('owner').userByName({ params: { ...params, username } })).id
const signIn = (username: string) => {
  const at = (realm: string, path: string) =>
    `${origin}/auth/realms/${realm}/protocol/openid-connect/${path}`
  return signInTo({ origin, at }, testBrowser(), {
    realm: 'nordwerk',
    username,
    password: testPassword,
    changes: { code_challenge: pkce().challenge, scope: `openid org:${org}` },
  })
}
const securityOf = async (username: string) =>
  as('administrator').userSecurity({ params: { ...params, user: await idOf(username) } })

test('an administrator sees where a person is signed in, and ends it', async () => {
  await signIn('vera')
  await signIn('vera')
  const user = await idOf('vera')
  const { sessions } = await securityOf('vera')
  expect(sessions).toHaveLength(2)
  expect(sessions[0]?.ipAddress).not.toBe('')
  const end = (session: string) =>
    as('administrator').endUserSession({ params: { ...params, user, session } })
  await end(sessions[0]?.id ?? '')
  expect((await securityOf('vera')).sessions).toHaveLength(1)
  await expect(end(sessions[0]?.id ?? '')).rejects.toMatchObject({ status: 404 })
  await end('all')
  expect((await securityOf('vera')).sessions).toEqual([])
})

test('who is disabled is signed out at once and does not come back until enabled [C-06]', async () => {
  await signIn('oskar')
  const user = { params: { ...params, user: await idOf('oskar') } }
  const off = await as('administrator').updateUser({ ...user, body: { enabled: false } })
  expect(off.enabled).toBe(false)
  expect((await securityOf('oskar')).sessions).toEqual([])
  const query = { sub: seeded.people.operator.sub, organization: org }
  const admission = () => server.asService(coreContract).admission({ query })
  await expect(admission()).rejects.toMatchObject({ status: 404 })
  expect((await signIn('oskar')).location).toBe('')
  const found = await as('owner').users({ params, query: { status: 'DISABLED' } })
  expect(found.content.map(({ username }) => username)).toEqual(['oskar'])
  await as('administrator').updateUser({ ...user, body: { enabled: true } })
  expect((await signIn('oskar')).location).toContain('code=')
  expect((await admission()).organization.resourceId).toBe(org)
})

test('who comes without a password gets a link, good for setting one [C-06]', async () => {
  const body = { username: 'ilse', email: 'ilse@example.org' }
  const made = await as('administrator').createUser({ params, body })
  expect(made.invitation).toMatchObject({ mailed: false })
  const link = made.invitation?.link ?? ''
  expect(link).toContain(`${origin}/auth/realms/nordwerk/login-actions/action-token/`)
  expect((await fetch(link)).status).toBe(200)
  const again = await as('administrator').updateUser({
    params: { ...params, user: made.id },
    body: { passwordChangeInvitation: true },
  })
  expect(again.invitation?.link).not.toBe(link)
  expect((await fetch(link)).status).toBe(410)
})

test('a temporary password is to be changed at the first sign-in [C-06]', async () => {
  const body = { username: 'tina', password: testPassword, temporaryPassword: true }
  await as('administrator').createUser({ params, body })
  expect(await securityOf('tina')).toMatchObject({ requiredActions: ['UPDATE_PASSWORD'] })
})

test('a service account gets its client and secret, shown this once [C-06]', async () => {
  const body = { username: 'robot', email: '--', serviceAccount: true }
  const made = await as('administrator').createUser({ params, body })
  expect(made.serviceAccountClient).toBe('user-service-robot')
  const { serviceAccountClient = '', serviceAccountSecret = '' } = made
  const answer = await fetch(`${origin}/auth/realms/nordwerk/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: serviceAccountClient,
      client_secret: serviceAccountSecret,
    }),
  })
  expect(answer.status).toBe(200)
  const shown = await as('owner').user({ params: { ...params, user: made.id } })
  expect(JSON.stringify(shown)).not.toContain(serviceAccountSecret)
  const change = { params: { ...params, user: made.id }, body: { password: testPassword } }
  await expect(as('administrator').updateUser(change)).rejects.toMatchObject({
    status: 422,
    code: 'core.is_service_account',
  })
})

test('an administrator sees that strangers locked somebody out, and lifts the lock', async () => {
  const wrong = async () => {
    const fields = { emi_username: 'mia/nordwerk', emi_password: 'guess', ajax: '1' }
    return fetch(`${origin}/manage/access/login`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    })
  }
  expect((await securityOf('mia')).lockedUntil).toBe(null)
  let last = await wrong()
  for (let n = 0; n < 6; n++) last = await wrong()
  expect(last.status).toBe(429)
  expect((await securityOf('mia')).lockedUntil).toBeInstanceOf(Date)
  const at = { params: { ...params, user: await idOf('mia') } }
  await expect(as('viewer').liftUserLock(at)).rejects.toMatchObject({ status: 403 })
  await expect(as('foreigner').liftUserLock(at)).rejects.toMatchObject({ status: 404 })
  await as('administrator').liftUserLock(at)
  expect((await securityOf('mia')).lockedUntil).toBe(null)
  expect((await wrong()).status).toBe(401)
})

test('how others sign in is nobody’s business without the right, and of stronger people never [A-05]', async () => {
  const user = await idOf('adam')
  const at = { params: { ...params, user } }
  await expect(as('viewer').userSecurity(at)).rejects.toMatchObject({ status: 403 })
  await expect(as('foreigner').userSecurity(at)).rejects.toMatchObject({ status: 404 })
  await expect(
    as('foreigner').userSecurity({ params: { org: 'acqua', user } }),
  ).rejects.toMatchObject({ status: 404 })
})
