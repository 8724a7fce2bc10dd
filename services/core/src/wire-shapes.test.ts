import { mappings } from '@longreach/mappings'
import { mappingsContract } from '@longreach/mappings/contract'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreContract } from './contract.ts'
import { core } from './service.ts'
import { coreAuthorizer, identityForTests, seed, type Seeded } from './testing.ts'

let server: TestServer
let seeded: Seeded
const org = 'nordwerk.service'
const params = { org }
const page = { page: 0, pageSize: 50 }

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], { admit: coreAuthorizer })
  seeded = await seed(server)
})
afterAll(() => server.close())

type Who = keyof Seeded['people']
const as = (who: Who) => server.as(seeded.people[who], coreContract)
/** A call as a program writes it, with what the typed client would not send. */
async function raw(who: Who, method: string, path: string, body?: unknown) {
  const answer = await server.fetchAs(seeded.people[who])(path, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
}
const base = '/svc/core/api/v1'

test('the organization of the session is told as selected, the others are not [E-01] [C-03]', async () => {
  const owner = { ...seeded.people.owner, org: 'nordwerk' }
  const mine = await server.as(owner, coreContract).mine({})
  expect(mine.filter(({ selected }) => selected).map(({ resourceId }) => resourceId)).toEqual([
    'nordwerk',
  ])
  const one = server.as(owner, coreContract).organization
  expect(await one({ params: { org: 'nordwerk' } })).toMatchObject({ selected: true })
  expect(await one({ params })).toMatchObject({ selected: false })
})

test('a person makes an organization below the one they are in, by either call [C-02]', async () => {
  const made = await raw('owner', 'POST', `${base}/organizations?organization=${org}`, {
    name: 'made-plainly',
    licenseCode: 'A-1',
    vpnPairingMode: 'CC2',
  })
  expect(made).toMatchObject({ status: 201, body: { resourceId: `${org}.made-plainly` } })
  const refused = await raw('viewer', 'POST', `${base}/organizations?organization=${org}`, {
    name: 'not-made',
  })
  expect(refused.status).toBe(403)
  const rooted = await raw('owner', 'POST', `${base}/organizations?organization=${org}`, {
    name: 'with-owner',
    owner: { username: 'x' },
  })
  expect(rooted).toMatchObject({ status: 400, body: { details: { fields: [{ field: 'owner' }] } } })
  const foreign = await raw('foreigner', 'POST', `${base}/organizations?organization=${org}`, {
    name: 'foreign',
  })
  expect(foreign.status).toBe(404)
})

test('organizations are listed by who is a member of them, for who may read people [C-02]', async () => {
  const { id: viewer } = await as('viewer').me({})
  const listed = async (who: Who, userId: number) =>
    (
      await as(who).organizations({ params: { org: 'nordwerk' }, query: { ...page, userId } })
    ).content.map(({ resourceId }) => resourceId)
  expect(await listed('owner', viewer)).toEqual([org])
  expect(await listed('owner', 999_999)).toEqual([])
  const { id: owner } = await as('owner').me({})
  const asked = as('viewer').organizations({ params, query: { ...page, userId: owner } })
  await expect(asked).rejects.toMatchObject({ status: 403 })
})

test('every page tells the number of the next one, the last that there is none [E-20]', async () => {
  const asked = (at: number) =>
    as('owner').roles({ params, query: { page: at, pageSize: 2, type: 'APPLICATION' } })
  const first = await asked(0)
  expect(first).toMatchObject({ page: 0, pageSize: 2, last: false, next: 1 })
  const last = await asked(first.totalPages - 1)
  expect(last).toMatchObject({ last: true, next: null })
  const people = await as('owner').users({ params, query: { page: 0, pageSize: 1 } })
  expect(people).toMatchObject({ last: false, next: 1 })
})

test('device groups are asked for by group of people and by device group [C-12]', async () => {
  const device = await server
    .as(seeded.people.owner, mappingsContract)
    .createDevice({ query: { organization: org }, body: { label: 'Held' } })
  const line = await as('owner').createSecurityPolicy({ params, body: { name: 'Line W' } })
  const policy = String(line.id)
  await as('owner').addPolicyDevices({ params: { org, policy, devices: device.id } })
  const inside = await as('owner').policiesInside({ params: { org, policy }, query: page })
  expect(inside.content).toEqual([{ id: expect.any(Number), name: 'Held', type: 'SELF_DEVICE' }])
  const group = await as('owner').createUserGroup({ params, body: { name: 'Shift W' } })
  const ofGroup = { org, group: String(group.id) }
  await as('owner').addGroupPolicies({ params: { ...ofGroup, policies: policy } })
  const held = await as('owner').groupPolicies({ params: ofGroup, query: page })
  expect(held).toMatchObject({ totalElements: 1, content: [{ id: line.id, name: 'Line W' }] })
  const foreign = as('foreigner')
  await expect(
    foreign.policiesInside({ params: { org, policy }, query: page }),
  ).rejects.toMatchObject({ status: 404 })
  await expect(foreign.groupPolicies({ params: ofGroup, query: page })).rejects.toMatchObject({
    status: 404,
  })
  const roles = await as('owner').roles({ params, query: { ...page, type: 'DEVICE' } })
  const path = `${base}/organizations/${org}/userGroups/${group.id}/roles/${roles.content[0]?.id}`
  expect(await raw('owner', 'POST', path)).toMatchObject({
    status: 201,
    body: { id: group.id, rolesId: [roles.content[0]?.id] },
  })
})

test('roles take device permissions by their ids, and owners however they are given [C-09]', async () => {
  const line = await as('owner').createSecurityPolicy({ params, body: { name: 'Line R' } })
  const rules = [{ resource: 'devices' as const, actions: ['read' as const], deviceGroup: line.id }]
  const first = await as('owner').createRole({
    params,
    body: { name: 'line-r', label: 'Line R', type: 'DEVICE', rules },
  })
  const devicePermission = first.devicePermissions.map(({ id }) => id)
  expect(devicePermission).toHaveLength(1)
  const all = await as('owner').applicationPermissions({ query: { page: 0, pageSize: 500 } })
  const models = all.content.filter(({ name }) => name === 'iam.models.read')
  const body = {
    name: 'line-r2',
    label: 'Line R2',
    type: 'DEVICE' as const,
    applicationPermissions: models.map(({ id }) => id),
    devicePermission,
  }
  const second = await as('owner').createRole({ params, body })
  expect(second.devicePermissions).toMatchObject([{ deviceGroup: line.id, name: 'Line R' }])
  expect(second.applicationPermissions).toMatchObject([{ name: 'iam.models.read' }])
  const change = (devicePermission: number[]) =>
    as('owner').updateRole({ params: { org, role: String(second.id) }, body: { devicePermission } })
  const without = await change([])
  expect(without.devicePermissions).toEqual([])
  expect(without.applicationPermissions).toMatchObject([{ name: 'iam.models.read' }])
  await expect(change([999_999])).rejects.toMatchObject({
    code: 'core.no_such_permission',
    details: { field: 'devicePermission' },
  })
  for (const asked of ['owners=SYSTEM,ORGANIZATION', 'owners=SYSTEM&owners=ORGANIZATION']) {
    const answer = await raw('owner', 'GET', `${base}/organizations/${org}/roles?${asked}`)
    expect(answer.status).toBe(200)
    const { content } = answer.body as { content: { owner: string }[] }
    expect(new Set(content.map(({ owner }) => owner))).toEqual(new Set(['SYSTEM', 'ORGANIZATION']))
  }
})

test('a preference is kept under either name of its value, a property may be an object [C-15] [E-09]', async () => {
  const path = `${base}/organizations/${org}/userPreferences`
  const { username } = await as('owner').me({})
  const foreign = { serviceName: 'locale', username: 'vera', value: 'it' }
  expect((await raw('owner', 'POST', path, foreign)).status).toBe(404)
  const kept = await raw('owner', 'POST', path, { serviceName: 'locale', username, value1: 'de' })
  expect(kept).toMatchObject({ status: 200, body: { value: 'de', value1: 'de' } })
  expect((await raw('owner', 'POST', path, { serviceName: 'locale' })).status).toBe(400)
  const two = { serviceName: 'locale', value: 'de', value1: 'fr' }
  expect((await raw('owner', 'POST', path, two)).status).toBe(400)
  expect(await as('owner').userPreferences({ params, query: {} })).toMatchObject([
    { serviceName: 'locale', value1: 'de' },
  ])
  const property = `${base}/users/mine/services/dashboards/properties/dashboardId`
  const put = await raw('owner', 'PUT', property, { id: 7, version: 'a' })
  expect(put).toEqual({ status: 200, body: '{"id":7,"version":"a"}' })
  expect((await raw('owner', 'GET', property)).body).toBe('{"id":7,"version":"a"}')
  expect((await raw('owner', 'PUT', property, 'plain')).body).toBe('plain')
})

test('tools that bring data in find the number of an organization at the licence service', async () => {
  for (const named of [org, String(seeded.organizations.service.id)]) {
    const found = await raw('viewer', 'GET', `/svc/license/api/v1/organizations/${named}`)
    expect(found).toMatchObject({
      status: 200,
      body: { orgCoreId: seeded.organizations.service.id, orgResourceId: org },
    })
  }
  expect((await raw('foreigner', 'GET', `/svc/license/api/v1/organizations/${org}`)).status).toBe(
    404,
  )
})
