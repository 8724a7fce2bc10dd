import { coreAuthorizer, seed, type Seeded } from '@longreach/core/testing'
import type { Contract } from '@longreach/kit/contract'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chosenServices } from './services.ts'

let server: TestServer
let seeded: Seeded
beforeAll(async () => {
  server = await testServer(await chosenServices(undefined), { admit: coreAuthorizer })
  seeded = await seed(server)
})
afterAll(() => server.close())

type Call = { method: string; url: string }

/** Calls of a contract without a body, as existing clients make them. */
const bodyless = async (): Promise<Call[]> =>
  (await chosenServices(undefined)).flatMap((service) => {
    const contract: Contract = service.contract
    return Object.values(contract.endpoints)
      .filter(({ method, body }) => method !== 'GET' && body === undefined)
      .flatMap(({ method, base = contract.base, path, also = [] }) =>
        [path, ...also].map((one) => ({ method, url: filled(base + one) })),
      )
  })

/** Calls of other protocols: administration tools, sign-in, sign-out, devices. */
const others = ['POST', 'PUT', 'DELETE'].flatMap((method) =>
  [
    '/auth/admin/realms/:realm/users/:user',
    '/auth/admin/realms/:realm/users/:user/impersonation',
    '/auth/admin/realms/:realm/users/:user/logout',
    '/auth/admin/realms/:realm/users/:user/credentials/:credential',
    '/auth/admin/realms/:realm/clients/:client/client-secret',
    '/auth/admin/realms/:realm/sessions/:session',
    '/auth/realms/:realm/account/sessions/:session',
    '/auth/realms/:realm/account/credentials/:credential',
    '/auth/realms/:realm/protocol/openid-connect/logout',
    '/auth/realms/:realm/protocol/openid-connect/token',
  ].map((path) => ({ method, url: filled(path) })),
)

function filled(path: string) {
  return path.replace(/:(\w+)/g, (_, name: string) =>
    ['org', 'realm'].includes(name) ? 'nordwerk' : '999999',
  )
}

const empty = { body: '', headers: { 'content-type': 'application/json' } }

async function refusedBodies(calls: readonly Call[], who?: Seeded['people']['owner']) {
  const refused: string[] = []
  for (const { method, url } of calls) {
    const answer = await server.fetchAs(who)(url, { method, ...empty })
    const text = await answer.text()
    if (/body cannot be empty|EMPTY_JSON_BODY|"field":"body"/i.test(text) || answer.status >= 500) {
      refused.push(`${method} ${url}: ${answer.status} ${text}`)
    }
  }
  return refused
}

test('JSON without a text is no body, for every call that takes none', async () => {
  const calls = await bodyless()
  expect(calls.length).toBeGreaterThan(50)
  expect(await refusedBodies(calls)).toEqual([])
  expect(await refusedBodies(calls, seeded.people.viewer)).toEqual([])
  expect(await refusedBodies(others)).toEqual([])
})

test('a call that is made so does its work', async () => {
  const owner = server.fetchAs(seeded.people.owner)
  const at = '/svc/core/api/v1/organizations/nordwerk.service'
  const group = await owner(`${at}/userGroups`, {
    method: 'POST',
    body: '{"name":"Short lived"}',
    headers: empty.headers,
  })
  const { id } = (await group.json()) as { id: number }
  expect((await owner(`${at}/userGroups/${id}`, { method: 'DELETE', ...empty })).status).toBe(204)
  expect((await owner(`${at}/userGroups/${id}`, { method: 'DELETE', ...empty })).status).toBe(404)
})
