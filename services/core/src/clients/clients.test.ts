import { identity } from '@longreach/identity'
import { identityContract } from '@longreach/identity/contract'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { coreAuthorizer, seed, type Seeded } from '../testing.ts'

let server: TestServer
let seeded: Seeded
let secret: string
const org = 'nordwerk.service'
const params = { org, client: 'user-service-robot' }

beforeAll(async () => {
  server = await testServer([identity, core], { admit: coreAuthorizer })
  seeded = await seed(server)
  const body = { username: 'robot', email: '--', serviceAccount: true }
  const made = await as('administrator').createUser({ params: { org }, body })
  secret = made.serviceAccountSecret ?? ''
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], coreContract)

/** Status of a token asked for with this secret, on the wire of programs. */
async function signIn(clientSecret: string) {
  const path = '/auth/realms/nordwerk/protocol/openid-connect/token'
  const basic = Buffer.from(`${params.client}:${clientSecret}`).toString('base64')
  const answer = await server.fetchAs()(path, {
    method: 'POST',
    body: `grant_type=client_credentials&scope=org:${org}`,
    headers: {
      authorization: `Basic ${basic}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
  })
  return answer.status
}

test('a service account is made with a secret that signs in [C-04]', async () => {
  expect(await signIn(secret)).toBe(200)
  const shown = await as('administrator').clientSecret({ params })
  expect(shown.tokenEndpoint).toContain('/auth/realms/nordwerk/')
  expect(shown.clientSecret).toBe('**********')
})

test('a new secret is shown once and ends the old one [C-04]', async () => {
  const renewed = await as('administrator').renewClientSecret({ params })
  expect(await signIn(secret)).toBe(401)
  expect(await signIn(renewed.clientSecret)).toBe(200)
  const both = await Promise.all(
    [1, 2].map(() => as('administrator').renewClientSecret({ params })),
  )
  const answers = await Promise.all(both.map((one) => signIn(one.clientSecret)))
  expect(answers.toSorted()).toEqual([200, 401])
})

test('a secret is for who may change people here and covers their rights', async () => {
  for (const who of ['viewer', 'member', 'operator'] as const) {
    await expect(as(who).renewClientSecret({ params })).rejects.toMatchObject({ status: 403 })
  }
  for (const who of ['foreigner', 'neighbour'] as const) {
    await expect(as(who).renewClientSecret({ params })).rejects.toMatchObject({ status: 404 })
    await expect(as(who).clientSecret({ params })).rejects.toMatchObject({ status: 404 })
  }
})

test.each(['user-service-nobody', 'robot', 'user-service-vera', 'user-service-', 'portal'])(
  'there is no client %s',
  async (client) => {
    const asked = { params: { org, client } }
    await expect(as('owner').clientSecret(asked)).rejects.toMatchObject({ status: 404 })
    await expect(as('owner').renewClientSecret(asked)).rejects.toMatchObject({ status: 404 })
  },
)

test('the client of another organization is not there', async () => {
  const elsewhere = { org: 'nordwerk.press', client: params.client }
  const asked = { params: elsewhere }
  await expect(as('neighbour').clientSecret(asked)).rejects.toMatchObject({ status: 404 })
})

test('a service account that is deleted signs in no more', async () => {
  const { content } = await as('owner').users({ params: { org }, query: { username: 'robot' } })
  const renewed = await as('owner').renewClientSecret({ params })
  await as('owner').deleteUser({ params: { org, user: content[0]?.id ?? 0 } })
  expect(await signIn(renewed.clientSecret)).toBe(401)
  const query = { realm: 'nordwerk', username: 'robot' }
  expect(await server.asService(identityContract).findAccount({ query })).toEqual([])
})
