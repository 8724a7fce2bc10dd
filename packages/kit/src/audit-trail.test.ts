import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type AuditRecord, recordChange } from './audit-trail.ts'
import { defineContract } from './contract.ts'
import { AppError } from './errors.ts'
import { masked } from './masked.ts'
import type { Authorizer } from './service.ts'
import { person, serviceOf, type TestServer, testServer } from './testing.ts'

const org = z.object({ org: z.string() })
const anyBody = z.record(z.string(), z.unknown())
const ovens = defineContract({
  service: 'ovens',
  base: '/svc/ovens/api/v1',
  errors: {},
  endpoints: {
    list: {
      method: 'GET',
      path: '/organizations/:org/ovens',
      access: 'devices:read',
      params: org,
      result: z.array(z.string()),
    },
    change: {
      method: 'PUT',
      path: '/organizations/:org/ovens/:oven',
      access: 'devices:update',
      params: org.extend({ oven: z.string() }),
      body: anyBody,
      result: z.undefined(),
    },
    recorded: {
      method: 'POST',
      path: '/organizations/:org/ovens',
      access: 'devices:create',
      params: org,
      body: anyBody,
      result: z.undefined(),
    },
    made: {
      method: 'POST',
      path: '/organizations/:org/ovens/made',
      access: 'devices:create',
      params: org,
      body: anyBody,
      result: z.object({ id: z.int() }),
    },
    search: {
      method: 'POST',
      path: '/organizations/:org/ovens/search',
      access: 'devices:read',
      reads: true,
      params: org,
      result: z.array(z.string()),
    },
    mine: { method: 'GET', path: '/mine', access: 'signed-in', result: z.string() },
    forKeys: {
      method: 'GET',
      path: '/for-keys',
      access: 'signed-in',
      apiKeys: true,
      result: z.string(),
    },
  },
})

const service = serviceOf<object>()({
  contract: ovens,
  migrations: new URL('./test-migrations/', import.meta.url),
  handlers: ({ db }) => ({
    list: async () => [],
    change: async () => undefined,
    recorded: async ({ body }, ctx) => {
      await db.transaction().execute(async (tx) => {
        const after = { label: 'Oven 7', activationKey: 'shown-to-nobody' }
        await recordChange(tx, ctx, {
          resource: 'ovens',
          action: 'create',
          id: 7,
          label: 'Oven 7',
          after,
        })
        if (body['fails'] === true) throw new AppError(409, 'ovens.broken')
      })
      return undefined
    },
    made: async () => ({ id: 9 }),
    search: async () => [],
    mine: async () => 'me',
    forKeys: async () => 'me',
  }),
})

const admit: Authorizer = async ({ sub }, reference) => {
  const organization = {
    id: 1,
    resourceId: 'plant',
    name: 'plant',
    label: 'Plant',
    realm: 'plant',
    dataEnabled: true,
    vpnEnabled: true,
  }
  const everything = { grants: { devices: sub === 'tom' ? 511 : 1 }, deviceGroups: [] }
  return reference === 'plant' ? { organization, capability: everything, below: false } : undefined
}

let server: TestServer
const tom = person('tom', 'plant', 'plant')
const max = person('max', 'plant', 'plant')
beforeAll(async () => {
  server = await testServer([service], { admit: () => admit })
})
afterAll(() => server.close())

async function trail() {
  const { rows } = await sql<{ payload: AuditRecord }>`
    delete from bus.event where topic = 'audit.recorded' returning payload`.execute(
    server.database.db,
  )
  return rows.map(({ payload }) => payload)
}

test('a change that its handler did not record stands in the trail, secrets masked', async () => {
  const body = {
    name: 'x',
    password: 'hunter2',
    nested: { clientSecret: 's', passwordChangeInvitation: true },
  }
  await server.as(tom, ovens).change({ params: { org: 'plant', oven: '3' }, body })
  expect(await trail()).toEqual([
    expect.objectContaining({
      call: 'ovens.change',
      resource: 'devices',
      action: 'update',
      id: '3',
      organization: 'plant',
      outcome: 'done',
      actor: { kind: 'user', sub: 'tom', username: 'tom@plant', realm: 'plant' },
      after: {
        name: 'x',
        password: '***',
        nested: { clientSecret: '***', passwordChangeInvitation: true },
      },
    }),
  ])
})

test('a handler that records its change is not recorded twice, and not at all when it fails', async () => {
  const params = { org: 'plant' }
  await server.as(tom, ovens).recorded({ params, body: {} })
  const [line, ...more] = await trail()
  expect(more).toEqual([])
  expect(line).toMatchObject({
    call: 'ovens.recorded',
    id: '7',
    label: 'Oven 7',
    after: { activationKey: '***' },
  })
  await expect(
    server.as(tom, ovens).recorded({ params, body: { fails: true } }),
  ).rejects.toMatchObject({ status: 409 })
  expect(await trail()).toEqual([])
})

test('reading leaves no line', async () => {
  const params = { org: 'plant' }
  await server.as(tom, ovens).list({ params })
  await server.as(tom, ovens).search({ params })
  expect(await trail()).toEqual([])
})

test('refused attempts are recorded, repeated ones on one line', async () => {
  const change = { params: { org: 'plant', oven: '3' }, body: {} }
  for (let i = 0; i < 3; i++) {
    await expect(server.as(max, ovens).change(change)).rejects.toMatchObject({ status: 403 })
  }
  const foreign = server.as(max, ovens).change({ ...change, params: { org: 'acqua', oven: '3' } })
  await expect(foreign).rejects.toMatchObject({ status: 404 })
  const seen: string[] = []
  const codes = async () => {
    seen.push(...(await trail()).map(({ code }) => code ?? ''))
    return seen.toSorted()
  }
  await expect.poll(codes).toEqual(['auth.missing_permission', 'auth.no_such_organization'])
})

test('a bad credential is recorded with its address, a missing one is not', async () => {
  const url = '/svc/ovens/api/v1/organizations/plant/ovens'
  const bad = await server.app.inject({ url, headers: { authorization: 'Bearer nonsense' } })
  expect(bad.statusCode).toBe(401)
  expect((await server.app.inject({ url })).statusCode).toBe(401)
  await expect.poll(trail).toEqual([
    expect.objectContaining({
      outcome: 'refused',
      status: 401,
      ip: '127.0.0.1',
      actor: expect.objectContaining({ kind: 'nobody' }),
    }),
  ])
})

test('nobody fills the trail of an organization by naming it: few lines, and at the installation', async () => {
  const headers = { authorization: 'Bearer nonsense' }
  const ask = (n: number) =>
    server.app.inject({
      url: `/svc/ovens/api/v1/organizations/plant/ovens/${n}`,
      method: 'PUT',
      headers,
      remoteAddress: `2001:db8::${n}`,
    })
  for (let n = 1; n <= 50; n += 1) expect((await ask(n)).statusCode).toBe(401)
  // A signed-in caller's refusals are separate entries, also after those of unknown callers.
  const change = { params: { org: 'plant', oven: '99' }, body: {} }
  await expect(server.as(max, ovens).change(change)).rejects.toMatchObject({ status: 403 })
  const found: AuditRecord[] = []
  const known = async () => {
    found.push(...(await trail()))
    return found.filter(({ actor }) => actor.kind === 'user').length
  }
  await expect.poll(known).toBe(1)
  const strangers = found.filter(({ actor }) => actor.kind === 'nobody')
  expect(strangers.length).toBeLessThanOrEqual(5)
  expect(strangers.map(({ organization }) => organization)).toEqual(strangers.map(() => ''))
})

test('two credentials at once are refused (attack 16)', async () => {
  const url = '/svc/ovens/api/v1/organizations/plant/ovens'
  const headers = { authorization: 'Bearer x', 'x-api-key': 'lrk_y' }
  const answer = await server.app.inject({ url, headers })
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ code: 'auth.two_credentials' })
})

test('an API key reaches only the personal calls that name it', async () => {
  const key = { ...tom, apiKey: { id: 5, organization: 'plant' } }
  await expect(server.as(key, ovens).mine({})).rejects.toMatchObject({
    code: 'auth.not_with_api_key',
  })
  expect(await server.as(key, ovens).forKeys({})).toBe('me')
})

test('masking keeps shapes and leaves out what is too large', () => {
  expect(masked({ author: 'a', key: 'k', tokens: [1], pin: 12 })).toEqual({
    author: 'a',
    key: '***',
    tokens: ['***'],
    pin: '***',
  })
  expect(masked({ text: 'x'.repeat(20_000) })).toEqual({ leftOut: '20011 characters' })
  expect(masked(undefined)).toBeUndefined()
  const many = Array.from({ length: 10_001 }, () => 0)
  expect(masked({ many })).toEqual({ leftOut: 'more than 10000 values' })
})

test('masking makes texts that the database takes', () => {
  expect(masked({ a: 'x\0y\ud800', b: '\\u0000', ['n\0']: 'ü😀' })).toEqual({
    a: 'x\ufffdy\ufffd',
    b: '\\u0000',
    'n\ufffd': 'ü😀',
  })
})

test('what a call made stands in the trail with its id and its name', async () => {
  await server.as(tom, ovens).made({ params: { org: 'plant' }, body: { label: 'Oven 9' } })
  const lines = (await trail()).filter(({ call }) => call === 'ovens.made')
  expect(lines).toMatchObject([{ id: '9', label: 'Oven 9' }])
})

test('a refusal stands in the trail of the organization it was tried in', async () => {
  const stranger = person('eve', 'elsewhere', 'elsewhere')
  const send = (org: string, as: typeof max) =>
    server.fetchAs(as)(`/svc/ovens/api/v1/organizations/${org}/ovens/4711`, { method: 'PUT' })
  await send('plant', { ...max, org: 'other' })
  await send('mill', stranger)
  await send('17', stranger)
  const found: AuditRecord[] = []
  const arrived = async () => {
    found.push(...(await trail()).filter(({ id }) => id === '4711'))
    // The entries are written concurrently, so their order is not fixed.
    return found.map(({ organization, code }) => `${organization} ${code}`).toSorted()
  }
  await expect
    .poll(arrived)
    .toEqual([
      'elsewhere auth.no_such_organization',
      'mill auth.no_such_organization',
      'plant auth.missing_permission',
    ])
})
