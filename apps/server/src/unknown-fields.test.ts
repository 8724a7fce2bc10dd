import { coreAuthorizer, seed, type Seeded } from '@longreach/core/testing'
import type { Contract, Endpoint } from '@longreach/kit/contract'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { chosenServices } from './services.ts'

let server: TestServer
let seeded: Seeded
beforeAll(async () => {
  server = await testServer(await chosenServices(undefined), { admit: coreAuthorizer })
  seeded = await seed(server)
})
afterAll(() => server.close())

type Call = { name: string; url: string; endpoint: Endpoint }

/** Public calls of all contracts. */
const calls = async (): Promise<Call[]> =>
  (await chosenServices(undefined)).flatMap((service) => {
    const contract: Contract = service.contract
    return Object.entries(contract.endpoints)
      .filter(([, { access }]) => access !== 'service')
      .map(([name, endpoint]) => ({
        name: `${contract.service}.${name}`,
        url: (endpoint.base ?? contract.base) + pathOf(endpoint),
        endpoint,
      }))
  })

/** Path segments in the form that each call expects. */
const forms = [
  'nordwerk.service',
  '1',
  'Z'.repeat(22),
  '00000000-0000-4000-8000-000000000000',
  'plan.png',
]
const pathOf = ({ path, params }: Endpoint) => {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const fitting = names.map((name) => {
    const shape = (params as z.ZodObject | undefined)?.shape as Record<string, z.ZodType>
    if (name === 'org') return 'nordwerk.service'
    return forms.find((form) => shape[name]?.safeParse(form).success) ?? '1'
  })
  return path.replace(/:\w+/g, () => fitting.shift() ?? '')
}

const unknown = 'noSuchField'

/** Bodies with valid beginnings, so that the unknown field is reached. */
const bodies: Record<string, object> = {
  'core.setModelPathPermissions': [{ [unknown]: 1 }],
  'platform.bulkInsertTags': [{ [unknown]: 1 }],
  'dashboards.addReaders': [{ name: '*', [unknown]: 1 }],
  'dashboards.addEditors': [{ name: '*', [unknown]: 1 }],
  'dashboards.removeReaders': [{ name: '*', [unknown]: 1 }],
  'dashboards.removeEditors': [{ name: '*', [unknown]: 1 }],
  'platform.commandAgent': { command: 'agent.health', [unknown]: 1 },
}

/** Required queries, which are checked before the body. */
const questions: Record<string, string> = { 'core.deleteUserPreference': 'serviceName=portal&' }

/** Bodies of any form, in which no field is unknown. */
const anything = ['core.setProperty']

/**
 * Reason why an unknown query name or body field was not refused by name; undefined when it was.
 */
async function taken({ name, url, endpoint }: Call, sent: 'query' | 'body') {
  const place = endpoint.path.includes(':org') ? '' : 'organization=nordwerk.service&'
  const asked = `${place}${questions[name] ?? ''}${sent === 'query' ? `${unknown}=1` : ''}`
  const answer = await server.fetchAs(seeded.people.owner)(`${url}?${asked}`, {
    method: endpoint.method,
    ...(sent === 'body' && {
      body: JSON.stringify(bodies[name] ?? { [unknown]: 1 }),
      headers: { 'content-type': 'application/json' },
    }),
  })
  const text = await answer.text()
  const body = text.startsWith('{') ? (JSON.parse(text) as Refusal) : {}
  const found = (body.details?.fields ?? []).some(
    ({ field, rule }) => field.split('.').at(-1) === unknown && rule === 'unknown',
  )
  return found ? [] : [`${name}: ${answer.status} ${text.slice(0, 160)}`]
}
type Refusal = { details?: { fields?: { field: string; rule?: string }[] } }

async function allTaken(these: readonly Call[], sent: 'query' | 'body') {
  const found: string[] = []
  for (const call of these) found.push(...(await taken(call, sent)))
  return found
}

test('no call takes a question in its address that it does not know', async () => {
  const all = await calls()
  expect(all.length).toBeGreaterThan(200)
  expect(await allTaken(all, 'query')).toEqual([])
})

test('no call takes a field in its body that it does not know, and none that takes no body', async () => {
  const writing = (await calls()).filter(
    ({ name, endpoint }) => endpoint.method !== 'GET' && !anything.includes(name),
  )
  expect(writing.length).toBeGreaterThan(100)
  expect(await allTaken(writing, 'body')).toEqual([])
})

test('a question that a call knows, and the order that clients ask of every list, are taken', async () => {
  const status = async (url: string) => (await server.fetchAs(seeded.people.owner)(url)).status
  const core = '/svc/core/api/v1/organizations'
  expect(await status(`${core}/nordwerk.service/roles?page=0&pageSize=500&orderBy=name`)).toBe(200)
  expect(await status(`${core}/mine?organization=nordwerk.service`)).toBe(200)
  // The path names another organization, so the request is ambiguous.
  expect(await status(`${core}/nordwerk.service/roles?organization=acqua`)).toBe(400)
})
