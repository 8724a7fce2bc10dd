import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { contentPage, defineContract, paging, toContentPage } from './contract.ts'
import { failure } from './errors.ts'
import { Reply } from './reply.ts'
import type { Authorizer } from './service.ts'
import { person, serviceOf, type TestServer, testServer } from './testing.ts'

const org = z.object({ org: z.string() })
const presses = defineContract({
  service: 'presses',
  base: '/svc/presses/api/v1',
  errors: { not_found: 404 },
  endpoints: {
    instance: {
      method: 'GET',
      path: '/instance',
      access: 'public',
      result: z.object({ up: z.boolean() }),
    },
    list: {
      method: 'GET',
      path: '/organizations/:org/presses',
      also: ['/organizations/:org/machines'],
      access: 'devices:read',
      params: org,
      query: z.object(paging(2)),
      result: contentPage(z.object({ name: z.string() })),
    },
    make: {
      method: 'POST',
      path: '/organizations/:org/presses',
      access: 'devices:create',
      params: org,
      body: z.object({ name: z.string().min(3), force: z.number() }),
      result: z.object({ name: z.string() }),
      status: 201,
    },
    heavy: {
      method: 'POST',
      path: '/heavy',
      access: 'signed-in',
      body: z.object({ n: z.int() }),
      result: z.object({ most: z.int() }),
      largestBody: 100,
      mostValues: 20,
      costly: true,
    },
    note: {
      method: 'POST',
      path: '/note',
      access: 'signed-in',
      body: z.object({ name: z.string() }),
      ignored: ['licence'],
      result: z.object({ name: z.string() }),
    },
    free: { method: 'POST', path: '/free', access: 'signed-in', result: z.object({}) },
    lost: { method: 'GET', path: '/lost', access: 'signed-in', result: z.undefined() },
    file: { method: 'GET', path: '/file', access: 'signed-in', result: z.unknown() },
    inside: { method: 'GET', path: '/internal/inside', access: 'service', result: z.object({}) },
    scope: {
      method: 'GET',
      path: '/scope',
      access: 'member',
      query: z.object({ organization: z.string().optional() }),
      result: z.object({ org: z.string(), subtree: z.boolean() }),
    },
  },
})

const gateOpens = Promise.withResolvers<void>()
const heavy = { now: 0, most: 0, open: gateOpens.promise }

const service = serviceOf<object>()({
  contract: presses,
  migrations: new URL('./test-migrations/', import.meta.url),
  handlers: () => ({
    instance: async () => ({ up: true }),
    note: async ({ body: { name } }) => ({ name }),
    list: async ({ query }) =>
      toContentPage(
        [
          { name: 'a', secret: 1 },
          { name: 'b', secret: 2 },
        ],
        3,
        query,
      ),
    make: async ({ body }) => ({ name: body.name }),
    heavy: async ({ body: { n } }) => {
      heavy.now += 1
      heavy.most = Math.max(heavy.most, heavy.now)
      // All allowed calls run before the first ends.
      await heavy.open
      heavy.now -= 1
      return { most: heavy.most + n - n }
    },
    free: async () => ({}),
    lost: async () => {
      throw failure(presses, 'not_found', { message: 'No such press' })
    },
    file: async () =>
      new Reply(200, { 'content-type': 'text/csv' }, Readable.from(['a,b\n', '1,2\n'])),
    inside: async () => ({}),
    scope: async (_, { organization, subtree }) => ({ org: organization.resourceId, subtree }),
  }),
})

const readDevices = { grants: { devices: 1 }, deviceGroups: [] }
const admit: Authorizer = async ({ sub }, ref) =>
  sub === 'anna' && (ref === undefined || ref === 'nordwerk' || ref === '1')
    ? {
        organization: {
          id: 1,
          resourceId: 'nordwerk',
          name: 'nordwerk',
          label: 'Nordwerk',
          realm: 'nordwerk',
          dataEnabled: true,
          vpnEnabled: false,
        },
        capability: readDevices,
        below: true,
      }
    : undefined

let server: TestServer
const anna = person('anna', 'nordwerk')
beforeAll(async () => {
  server = await testServer([service], { admit: () => admit })
})
afterAll(() => server.close())

const get = async (url: string, as?: typeof anna) => {
  const response = await server.fetchAs(as)(`/svc/presses/api/v1${url}`)
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  return {
    status: response.status,
    text,
    body: type.includes('json') ? JSON.parse(text) : undefined,
  }
}

test('a name in the address that a call does not know is refused, and a body where none is taken', async () => {
  const ask = async (url: string, init?: RequestInit) => {
    const answer = await server.fetchAs(anna)(`/svc/presses/api/v1${url}`, init)
    return { status: answer.status, body: (await answer.json()) as unknown }
  }
  const refused = (part: string, field: string) => ({
    status: 400,
    body: { code: 'request.invalid', details: { part, fields: [{ field, rule: 'unknown' }] } },
  })
  expect(await ask('/scope?organization=nordwerk')).toMatchObject({ status: 200 })
  expect(await ask('/scope?organisation=nordwerk')).toMatchObject(refused('query', 'organisation'))
  const sent = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ force: true }),
  }
  expect(await ask('/free', sent)).toMatchObject(refused('body', 'force'))
})

test('a field that a body does not know is refused by its name; one known to be sent is not', async () => {
  const note = async (body: object) => {
    const answer = await server.fetchAs(anna)('/svc/presses/api/v1/note', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as unknown }
  }
  expect(await note({ name: 'Press', colour: 'red' })).toMatchObject({
    status: 400,
    body: {
      code: 'request.invalid',
      details: { part: 'body', fields: [{ field: 'colour', rule: 'unknown' }] },
    },
  })
  expect(await note({ name: 'Press', licence: 'L' })).toEqual({
    status: 200,
    body: { name: 'Press' },
  })
})

test('a public call needs no token, with trailing blanks and slashes too', async () => {
  for (const url of ['/instance', '/instance/', '/instance%20%20']) {
    expect(await get(url)).toMatchObject({ status: 200, body: { up: true } })
  }
})

test('nobody is told to sign in [A-05]', async () => {
  expect(await get('/organizations/nordwerk/presses')).toMatchObject({
    status: 401,
    body: { code: 'auth.not_signed_in', statusCode: 401 },
  })
})

test('nothing between may keep an answer for the next caller (attack 63)', async () => {
  for (const url of ['/instance', '/organizations/1/presses']) {
    const answer = await server.app.inject(`/svc/presses/api/v1${url}`)
    expect(answer.headers['cache-control']).toBe('no-store')
  }
})

test('an organization is found by number and by resourceId, and another one is not there [A-05]', async () => {
  expect((await get('/organizations/1/presses', anna)).status).toBe(200)
  expect((await get('/organizations/nordwerk/machines', anna)).status).toBe(200)
  expect(await get('/organizations/acqua/presses', anna)).toMatchObject({
    status: 404,
    body: { code: 'auth.no_such_organization' },
  })
})

test('what the contract does not name does not leave, and pages answer both questions [E-20]', async () => {
  const { body } = await get('/organizations/1/presses?page=1', anna)
  expect(body).toMatchObject({ page: 1, pageSize: 2, last: true, totalElements: 3, number: 1 })
  expect(body.content[0]).toEqual({ name: 'a' })
})

test('a missing permission is refused by name [A-05]', async () => {
  const make = server
    .as(anna, presses)
    .make({ params: { org: '1' }, body: { name: 'abc', force: 1 } })
  await expect(make).rejects.toMatchObject({ status: 403, code: 'auth.missing_permission' })
})

test('a bad field is named with what was expected [X-05]', async () => {
  const { status, body } = await get('/organizations/1/presses?page=-1', anna)
  expect(status).toBe(400)
  expect(body).toMatchObject({ code: 'request.invalid', details: { fields: [{ field: 'page' }] } })
  expect(body.message).toContain('page')
})

test('a known failure keeps its status, code and message [X-05]', async () => {
  expect(await get('/lost', anna)).toMatchObject({
    status: 404,
    body: { code: 'presses.not_found', error: 'Not Found', message: 'No such press' },
  })
})

test('a file is streamed as it is', async () => {
  expect(await get('/file', anna)).toMatchObject({ status: 200, text: 'a,b\n1,2\n' })
})

test('a call between services is closed to people', async () => {
  expect((await get('/internal/inside', anna)).status).toBe(403)
  expect((await get('/internal/inside')).status).toBe(401)
  expect(await server.asService(presses).inside({})).toEqual({})
})

test('a star asks for everything below, where the rights reach down', async () => {
  const asked = server.as(anna, presses)
  const below = await asked.scope({ query: { organization: 'nordwerk.*' } })
  expect(below).toEqual({ org: 'nordwerk', subtree: true })
  expect(await asked.scope({ query: { organization: 'nordwerk' } })).toMatchObject({
    subtree: false,
  })
})

test('a text that no database keeps is refused at its field, wherever it stands', async () => {
  for (const [url, part] of [
    ['/organizations/%00/presses', 'params'],
    ['/organizations/1/presses?organization=a%00', 'query'],
  ] as const) {
    const { status, body } = await get(url, anna)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'request.invalid', details: { part } })
  }
  for (const [body, field] of [
    ['{"name":"a\\u0000b"}', 'name'],
    ['{"name":["abc",{"deep":"\\ud800"}]}', 'name.1.deep'],
    ['{"na\\u0000me":"abc"}', 'na\ufffdme'],
  ] as const) {
    const headers = { 'content-type': 'application/json' }
    const sent = { method: 'POST', headers, body }
    const response = await server.fetchAs(anna)('/svc/presses/api/v1/heavy', sent)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ details: { part: 'body', fields: [{ field }] } })
  }
  // A surrogate pair is valid text, so only the number is wrong.
  const name = '"\\ud83d\\ude00 abc"'
  const headers = { 'content-type': 'application/json' }
  const sent = { method: 'POST', headers, body: `{"name":${name},"n":"x"}` }
  const response = await server.fetchAs(anna)('/svc/presses/api/v1/heavy', sent)
  expect(await response.json()).toMatchObject({
    details: { fields: [{ field: 'n' }, { field: 'name', rule: 'unknown' }] },
  })
})

test('an address that cannot be decoded is refused in the one error body', async () => {
  expect(await get('/organizations/%ED%A0%80/presses', anna)).toMatchObject({
    status: 400,
    body: { code: 'request.refused', error: 'Bad Request' },
  })
})

test('a body is refused before it is read: from nobody, and over the limit of its call', async () => {
  const url = '/svc/presses/api/v1/heavy'
  const headers = { 'content-type': 'application/json' }
  const broken = { method: 'POST', headers, body: '{' }
  expect((await server.fetchAs()(url, broken)).status).toBe(401)
  expect((await server.fetchAs(anna)(url, broken)).status).toBe(400)
  const large = { ...broken, body: JSON.stringify({ n: 1, more: 'x'.repeat(200) }) }
  const answer = await server.fetchAs(anna)(url, large)
  expect(answer.status).toBe(413)
  expect(await answer.json()).toMatchObject({ code: 'request.too_large', details: { limit: 100 } })
})

test('a body of more values than its call takes is refused before it is read', async () => {
  const url = '/svc/presses/api/v1/heavy'
  const headers = { 'content-type': 'application/json' }
  // Malformed JSON as well: the count is checked before parsing.
  const body = `{"n":1,"more":[${'{},'.repeat(25)}`
  const answer = await server.fetchAs(anna)(url, { method: 'POST', headers, body })
  expect(answer.status).toBe(413)
  expect(await answer.json()).toMatchObject({
    code: 'request.too_many_values',
    details: { field: 'body', limit: 20 },
  })
})

test('of the costly calls of one person two are done at a time, and all are answered', async () => {
  const ask = (n: number) => server.as(anna, presses).heavy({ body: { n } })
  const asked = [1, 2, 3, 4, 5].map(ask)
  await expect.poll(() => heavy.now).toBe(2)
  gateOpens.resolve()
  expect((await Promise.all(asked)).map(({ most }) => most)).toEqual([2, 2, 2, 2, 2])
})
