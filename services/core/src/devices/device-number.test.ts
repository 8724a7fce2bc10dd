import { mappings } from '@longreach/mappings'
import { mappingsContract } from '@longreach/mappings/contract'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '../testing.ts'

let server: TestServer
let seeded: Seeded
const service = 'nordwerk.service'
const params = { org: service }
beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], { admit: coreAuthorizer })
  seeded = await seed(server)
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], coreContract)
const inMappings = (who: keyof Seeded['people'] = 'owner') =>
  server.as(seeded.people[who], mappingsContract)

async function create(label: string, organization = service) {
  const { id } = await inMappings().createDevice({ query: { organization }, body: { label } })
  await server.settle()
  const found = { params: { org: organization, label } }
  return { hwId: id, number: (await as('owner').coreDeviceByLabel(found)).id }
}

test('a device is known by the number of its row and by the id that it bears [C-13]', async () => {
  const { hwId, number } = await create('Numbered')
  expect(number).toEqual(expect.any(Number))
  const raw = await server.fetchAs(seeded.people.owner)(
    `/svc/core/api/v1/organizations/${service}/devices?deviceLabel=Numbered`,
  )
  expect(await raw.json()).toMatchObject({ content: [{ id: number, hwId }] })
  for (const deviceId of [hwId, String(number)]) {
    const list = await as('viewer').coreDevices({ params, query: { deviceId } })
    expect(list.content).toMatchObject([{ id: number, hwId }])
    const change = {
      params: { ...params, device: deviceId },
      query: {},
      body: { description: 'x' },
    }
    expect(await inMappings('operator').changeCoreDevice(change)).toMatchObject({
      id: number,
      hwId,
    })
    const access = { params: { ...params, device: deviceId }, query: {} }
    expect((await as('administrator').deviceAccess(access)).totalElements).toBeGreaterThan(0)
    expect(await as('owner').isAuthorized({ params, query: { deviceId } })).toMatchObject({
      deviceGeneralPermission: 'ADMINISTRATOR',
    })
    const own = await as('viewer').securityPolicies({ params, query: { deviceId } })
    expect(own.content).toContainEqual(expect.objectContaining({ type: 'SELF_DEVICE' }))
  }
  const many = await as('owner').areAuthorized({
    params,
    body: { deviceIds: [hwId, number, 999_999] },
  })
  expect(Object.keys(many).toSorted()).toEqual([hwId, String(number)].toSorted())
})

test('devices join and leave a group by either [C-12]', async () => {
  const [one, two] = [await create('Member one'), await create('Member two')]
  const { id } = await as('owner').createSecurityPolicy({ params, body: { name: 'Mixed' } })
  const at = { ...params, policy: String(id) }
  const inside = async () =>
    (await as('owner').policyDevices({ params: at, query: {} })).content.map(({ hwId }) => hwId)
  await as('owner').addPolicyDevices({ params: { ...at, devices: `${one.hwId},${two.number}` } })
  expect((await inside()).toSorted()).toEqual([one.hwId, two.hwId].toSorted())
  await as('owner').changePolicyDevices({ params: at, body: { remove: [one.number, two.hwId] } })
  expect(await inside()).toEqual([])
})

test('a number of another organization is nobody here, and one out of the trash has its own again [A-05]', async () => {
  const elsewhere = await create('Next door', 'nordwerk.press')
  const change = { query: {}, body: { label: 'Taken' } }
  const foreign = { ...params, device: String(elsewhere.number) }
  for (const device of [foreign.device, '2147483647', '9999999999']) {
    await expect(
      inMappings('operator').changeCoreDevice({ ...change, params: { ...params, device } }),
    ).rejects.toMatchObject({ status: 404 })
  }
  const kept = await create('Comes back')
  const at = { params: { id: kept.hwId }, query: { organization: service } }
  await inMappings().deleteDevice(at)
  await server.settle()
  await inMappings().restoreDevice({ ...at, body: {} })
  await server.settle()
  const found = { params: { ...params, label: 'Comes back' } }
  expect(await as('owner').coreDeviceByLabel(found)).toMatchObject({ id: kept.number })
})
