import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import {
  addPerson,
  coreAuthorizer,
  identityForTests,
  seed,
  type Seeded,
} from '@longreach/core/testing'
import type { Caller } from '@longreach/kit/service'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mappingsContract } from '../contract.ts'
import { mappings } from '../service.ts'

let server: TestServer
let seeded: Seeded
/** Operates the machines of nordwerk alone; what reaches down from there is not about devices. */
let local: Caller
let group: number
const devices: Record<'top' | 'below' | 'shut', string> = { top: '', below: '', shut: '' }
const params = { org: 'nordwerk' }
const as = (who: Caller) => server.as(who, mappingsContract)
const inCore = (who: Caller) => server.as(who, coreContract)

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], { admit: coreAuthorizer })
  seeded = await seed(server)
  const { owner, neighbour } = seeded.people
  await inCore(owner).createRole({
    params,
    body: {
      name: 'counts-people',
      label: 'Counts people',
      inherit: true,
      rules: [{ resource: 'users', actions: ['read'] }],
    },
  })
  const { nordwerk: org } = seeded.organizations
  const roles = ['app_operator', 'counts-people']
  local = await addPerson(server, owner, { org, username: 'lena', roles })
  const places = { top: 'nordwerk', below: 'nordwerk.service', shut: 'nordwerk.press' }
  for (const place of ['top', 'below', 'shut'] as const) {
    const query = { organization: places[place] }
    const made = await as(owner).createDevice({ query, body: { label: `Reach ${place}` } })
    devices[place] = made.id
  }
  await server.settle()
  const policy = await inCore(owner).createSecurityPolicy({ params, body: { name: 'Everywhere' } })
  group = policy.id
  const body = { add: Object.values(devices), remove: [] }
  await inCore(owner).changePolicyDevices({ params: { ...params, policy: String(group) }, body })
  await inCore(neighbour).updateOrganization({
    params: { org: 'nordwerk.press' },
    query: {},
    body: { privateAccess: true },
  })
  await server.settle()
})
afterAll(() => server.close())

const engineer = () => seeded.people.parentInherit
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).toSorted()
const some = (...places: (keyof typeof devices)[]) => places.map((one) => devices[one]).toSorted()

test('the devices of a group are those on which the rights reach [C-12] [A-05]', async () => {
  const inGroup = async (who: Caller) => {
    const asked = { params: { ...params, policy: String(group) }, query: {} }
    const { content } = await inCore(who).policyDevices(asked)
    return content.map(({ hwId }) => hwId).toSorted()
  }
  expect(await inGroup(local)).toEqual(some('top'))
  expect(await inGroup(engineer())).toEqual(some('top', 'below'))
})

test('nobody puts devices into a group, or takes them out, where no right of theirs reaches [C-12] [A-05]', async () => {
  const body = { name: 'Reached' }
  const { id } = await inCore(seeded.people.owner).createSecurityPolicy({ params, body })
  const change = (who: Caller, add: string[], remove: string[] = []) =>
    inCore(who).changePolicyDevices({
      params: { ...params, policy: String(id) },
      body: { add, remove },
    })
  const unseen = { status: 404 }
  await expect(change(engineer(), some('shut'))).rejects.toMatchObject(unseen)
  await change(engineer(), some('top', 'below'))
  await expect(change(engineer(), [], some('shut'))).rejects.toMatchObject(unseen)
})

test('a segment holds the devices that who picks them sees [R-10] [A-05]', async () => {
  const picked = async (who: Caller, organization: string) => {
    const query = { organization }
    const content = { deviceIds: Object.values(devices) }
    const body = { name: `Picked in ${organization}`, content }
    const { id } = await as(who).createSegment({ query, body })
    await as(who).changeSegmentDevices({
      params: { id },
      query,
      body: { add: Object.values(devices) },
    })
    const { rows } = await server.database.pool.query<{ id: string }>(
      'select device_id as id from mappings.segment_device where segment_id = $1',
      [id],
    )
    return ids(rows)
  }
  expect(await picked(local, 'nordwerk')).toEqual(some('top'))
  expect(await picked(local, 'nordwerk.*')).toEqual(some('top'))
  expect(await picked(engineer(), 'nordwerk')).toEqual(some('top', 'below'))
  expect(await picked(engineer(), 'nordwerk.*')).toEqual(some('top', 'below'))
})

test('a group is configured where the rights of who asks reach [C-26] [A-05]', async () => {
  const configured = async (who: Caller, organization: string) => {
    const query = { organization }
    const { id } = await as(who).configureGroup({
      params: { group: String(group) },
      query,
      body: {},
    })
    await server.settle()
    return (await as(who).job({ params: { jobId: id }, query })).total
  }
  expect(await configured(local, 'nordwerk.*')).toBe(1)
  expect(await configured(engineer(), 'nordwerk')).toBe(1)
  expect(await configured(engineer(), 'nordwerk.*')).toBe(2)
})

test('what is done to many stops where the rights of who asks end [R-10] [A-05]', async () => {
  const failed = async (who: Caller, action: Parameters<typeof start>[1]) => {
    const jobId = await start(who, action)
    await server.settle()
    const query = { organization: 'nordwerk.*' }
    const { data } = await as(who).jobFailures({ params: { jobId }, query })
    return data.map(({ label }) => label).toSorted()
  }
  const shut = [devices.shut]
  expect(await failed(local, { kind: 'addTags', tags: ['x'] })).toEqual(some('below', 'shut'))
  expect(await failed(engineer(), { kind: 'addTags', tags: ['x'] })).toEqual(shut)
  expect(await failed(engineer(), { kind: 'addToGroup', group })).toEqual(shut)
})

async function start(
  who: Caller,
  action: { kind: 'addTags'; tags: string[] } | { kind: 'addToGroup'; group: number },
) {
  const body = { action, selection: { ids: Object.values(devices) }, label: 'x' }
  return (await as(who).changeDevices({ query: { organization: 'nordwerk.*' }, body })).id
}

test('what is in a deleted organization is not seen from above, and is seen again after its restoration [C-02 in part] [A-05]', async () => {
  const { owner } = seeded.people
  const { service } = seeded.organizations
  const seen = async () => {
    const query = { organization: 'nordwerk.*' }
    const body = { search: 'Reach', pageSize: 100 }
    const { data, totalElements } = await as(owner).searchDevices({ query, body })
    expect(totalElements).toBe(data.length)
    return ids(data)
  }
  expect(await seen()).toEqual(some('top', 'below'))
  const at = { params: { org: 'nordwerk.service' } }
  await inCore(owner).deleteOrganization({ ...at, query: { cascade: true } })
  expect(await seen()).toEqual(some('top'))
  await inCore(owner).restoreOrganization({ params: { ...params, deleted: service.id } })
  expect(await seen()).toEqual(some('top', 'below'))
})
