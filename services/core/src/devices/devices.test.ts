import { mappings } from '@longreach/mappings'
import { mappingsContract } from '@longreach/mappings/contract'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { addPerson, coreAuthorizer, identityForTests, seed, type Seeded } from '../testing.ts'

let server: TestServer
let seeded: Seeded
const service = 'nordwerk.service'
const params = { org: service }
beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], { admit: coreAuthorizer })
  seeded = await seed(server)
})
afterAll(() => server.close())

type Who = keyof Seeded['people']
const as = (who: Who) => server.as(seeded.people[who], coreContract)
const mapped = (who: Who) => server.as(seeded.people[who], mappingsContract)
const page = { page: 0, pageSize: 50 }

async function create(label: string, organization = service, more: object = {}) {
  const made = await mapped('owner').createDevice({
    query: { organization },
    body: { label, ...more },
  })
  await server.settle()
  return made.id
}

test('devices are listed with their groups, here and below when asked for [C-13]', async () => {
  const id = await create('List 1')
  const other = await create('List 2', 'nordwerk.press')
  const { content } = await as('viewer').coreDevices({ params, query: { deviceLabel: 'List 1' } })
  expect(content).toEqual([
    {
      id: expect.any(Number),
      alias: 'List 1',
      deviceAlias: 'List 1',
      label: 'List 1',
      hwId: id,
      deleted: false,
      realm: { id: seeded.organizations.nordwerk.id, name: 'nordwerk', deleted: false },
      securityPolicyGroups: [
        { id: expect.any(Number), name: '*', type: 'ALL_DEVICES' },
        { id: expect.any(Number), name: 'List 1', type: 'SELF_DEVICE' },
      ],
      vpnName: null,
      orgResourceId: service,
    },
  ])
  const found = async (org: string, query: object) => {
    const list = await as('owner').coreDevices({ params: { org }, query: { ...page, ...query } })
    return list.content.map((device) => device.hwId)
  }
  expect(await found('nordwerk', { search: 'list' })).toEqual([])
  expect(await found('nordwerk.*', { search: 'list' })).toEqual([id, other])
  for (const query of [{ deviceId: id }, { deviceHwId: id }, { deviceAlias: 'List 1' }]) {
    expect(await found('nordwerk.*', query)).toEqual([id])
  }
  const own = content[0]?.securityPolicyGroups.find(({ type }) => type === 'SELF_DEVICE')
  expect(await found(service, { securityPolicyGroupId: own?.id })).toEqual([id])
  const searched = await as('owner').searchCoreDevices({ params, query: { search: 'IST 1' } })
  expect(searched).toMatchObject({ totalElements: 1, last: true, content: [{ hwId: id }] })
})

test('a device is found by its label, and not from elsewhere [C-13] [A-05]', async () => {
  const id = await create('By label')
  const asked = { params: { ...params, label: 'By label' } }
  expect(await as('viewer').coreDeviceByLabel(asked)).toEqual({
    id: expect.any(Number),
    alias: 'By label',
    label: 'By label',
    hwId: id,
    orgResourceId: service,
  })
  const elsewhere = { params: { org: 'nordwerk.press', label: 'By label' } }
  await expect(as('neighbour').coreDeviceByLabel(elsewhere)).rejects.toMatchObject({ status: 404 })
  await expect(as('foreigner').coreDeviceByLabel(asked)).rejects.toMatchObject({ status: 404 })
  await expect(as('member').coreDevices({ params, query: {} })).rejects.toMatchObject({
    status: 403,
  })
})

test('who sees only some devices finds no others [C-13] [A-05]', async () => {
  const id = await create('Seen')
  await create('Unseen')
  const [own] = (await as('owner').securityPolicies({ params, query: { name: 'Seen' } })).content
  const { service: org } = seeded.organizations
  const guest = await addPerson(server, seeded.people.owner, {
    org,
    username: 'guest',
    roles: ['app_operator'],
  })
  const found = await as('owner').users({ params, query: { username: 'guest' } })
  const user = String(found.content[0]?.id)
  await as('owner').addUserPolicies({ params: { ...params, user, policies: String(own?.id) } })
  const asGuest = server.as(guest, coreContract)
  const { content, totalElements } = await asGuest.coreDevices({ params, query: {} })
  expect([content.map((device) => device.hwId), totalElements]).toEqual([[id], 1])
  const hidden = { params: { ...params, label: 'Unseen' } }
  await expect(asGuest.coreDeviceByLabel(hidden)).rejects.toMatchObject({ status: 404 })
})
