import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import { coreAuthorizer, seed, type Seeded, testPassword } from '@longreach/core/testing'
import type { Caller } from '@longreach/kit/service'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { identity } from '../service.ts'
import { fragmentOf, pkce, signInTo, testBrowser } from '../testing.ts'

let server: TestServer
let seeded: Seeded
let origin: string

beforeAll(async () => {
  server = await testServer([core, identity], { admit: coreAuthorizer, now: () => new Date() })
  const listening = await server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = listening.replace('127.0.0.1', 'localhost')
  server.site.origin = origin
  seeded = await seed(server)
})
afterAll(() => server.close())

/** Person with a session of theirs, as the server's authentication names them. */
async function signedIn(who: keyof Seeded['people']): Promise<Caller> {
  const person = seeded.people[who]
  const at = (realm: string, path: string) =>
    `${origin}/auth/realms/${realm}/protocol/openid-connect/${path}`
  const { location } = await signInTo({ origin, at }, testBrowser(), {
    realm: person.realm,
    username: person.username,
    password: testPassword,
    changes: { code_challenge: pkce().challenge },
  })
  const session = fragmentOf(location).get('session_state')
  if (session === null) throw new Error('not signed in')
  return { ...person, session }
}
const accountOf = (caller: Caller) => server.as(caller, coreContract)

/** Authenticator app, as if it had been set up. */
const giveApp = async (sub: string) => {
  const { rows } = await server.database.pool.query<{ id: string }>(
    `insert into identity.authenticator_app (id, sub, label, sealed, last_step, created_at)
     values (gen_random_uuid(), $1, 'Phone', '', 0, now()) returning id`,
    [sub],
  )
  return rows[0]?.id ?? ''
}

test('a person sees and changes their own account, names only [C-18]', async () => {
  const viewer = await signedIn('viewer')
  const account = await accountOf(viewer).ownAccount({})
  expect(account).toMatchObject({
    username: 'vera',
    credentials: [],
    sessions: [{ id: viewer.session, username: 'vera', start: expect.any(Number) }],
  })
  const body = { firstName: 'Vera', lastName: 'Blum' }
  const more = { email: 'other@example.org', username: 'x' }
  await expect(
    accountOf(viewer).updateOwnAccount({ body: { ...body, ...more } }),
  ).rejects.toMatchObject({ status: 400, code: 'request.invalid' })
  const changed = await accountOf(viewer).updateOwnAccount({ body })
  expect(changed).toMatchObject({ firstName: 'Vera', username: 'vera', email: account.email })
  expect(await accountOf(viewer).me({})).toMatchObject({ firstName: 'Vera', lastName: 'Blum' })
  await expect(server.as(undefined, coreContract).ownAccount({})).rejects.toMatchObject({
    status: 401,
  })
})

test('a person ends a session and removes a second factor of their own, of nobody else [C-18]', async () => {
  const [operator, viewer] = [await signedIn('operator'), await signedIn('viewer')]
  const credential = await giveApp(operator.sub)
  const gone = { status: 404 }
  const foreign = { params: { id: operator.session ?? '' } }
  await expect(accountOf(viewer).endOwnSession(foreign)).rejects.toMatchObject(gone)
  const theirs = { params: { id: credential } }
  await expect(accountOf(viewer).removeOwnCredential(theirs)).rejects.toMatchObject(gone)
  const tooWeak = accountOf(operator).removeOwnCredential(theirs)
  await expect(tooWeak).rejects.toMatchObject({ status: 403, code: 'identity.sign_in_again' })
  await server.database.pool.query(
    `update identity.oidc_record set payload = jsonb_set(payload, '{acr}', '"2"') where uid = $1`,
    [operator.session],
  )
  await accountOf(operator).removeOwnCredential(theirs)
  expect((await accountOf(operator).ownAccount({})).credentials).toEqual([])
  await accountOf(operator).endOwnSession(foreign)
  await expect(accountOf(operator).endOwnSession(foreign)).rejects.toMatchObject(gone)
  const { rows } = await server.database.pool.query<{ action: string }>(
    `select payload->>'action' as action from bus.event where topic = 'audit.recorded'
     and payload->>'resource' = 'account' and payload->'actor'->>'sub' = $1`,
    [operator.sub],
  )
  expect(rows.map(({ action }) => action).toSorted()).toEqual(['endSession', 'removeSecondFactor'])
})

test('whoever acts as somebody looks at their account and changes nothing [C-18]', async () => {
  const impersonator = { sub: seeded.people.administrator.sub, username: 'admin' }
  const acting = { ...(await signedIn('viewer')), impersonator }
  expect((await accountOf(acting).ownAccount({})).username).toBe('vera')
  const refused = { status: 403 }
  const one = { params: { id: acting.session ?? '' } }
  const account = accountOf(acting)
  await expect(account.updateOwnAccount({ body: {} })).rejects.toMatchObject(refused)
  await expect(account.endOwnSession(one)).rejects.toMatchObject(refused)
  await expect(account.removeOwnCredential(one)).rejects.toMatchObject(refused)
})

test('names of the realm are looked up one by one, not by the list (attack 67)', async () => {
  const viewer = accountOf(seeded.people.viewer)
  const ask = (n: number) =>
    viewer
      .userExists({ params: { name: `name${n}` } })
      .catch((error: { code: string }) => error.code)
  const answers: unknown[] = []
  for (let n = 0; n < 61; n++) answers.push(await ask(n))
  expect(answers.slice(0, 60).every((answer) => answer === false)).toBe(true)
  expect(answers[60]).toBe('core.too_many_attempts')
})
