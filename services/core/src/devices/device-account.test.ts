import { publish } from '@longreach/kit/events'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { mappings } from '@longreach/mappings'
import { mappingsContract } from '@longreach/mappings/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '../testing.ts'

let server: TestServer
let seeded: Seeded
const org = 'nordwerk.service'
const [oven, pump] = ['oven-00000000000000000', 'pump-00000000000000000']
const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], coreContract)
const of = (device: string) => ({ params: { org, device } })
const made = (deviceId: string, label: string) =>
  server.database.db
    .transaction()
    .execute((tx) =>
      publish(tx, mappingsContract.events.deviceCreated, { deviceId, label, orgResourceId: org }),
    )

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], { admit: coreAuthorizer })
  seeded = await seed(server)
  await made(oven, 'Oven 1')
  await made(pump, 'Pump 1')
  await server.settle()
})
afterAll(() => server.close())

test('a service account named like the device acts for it and sees no other [F-01 in part] [C-13]', async () => {
  expect(await as('administrator').deviceAccount(of(oven))).toEqual({ account: null })
  const account = await as('administrator').createDeviceAccount({ ...of(oven), body: {} })
  expect(account).toMatchObject({ username: 'oven-1', client: expect.stringContaining('oven-1') })
  expect(account.clientSecret.length).toBeGreaterThan(10)
  const { content } = await as('administrator').users({
    params: { org },
    query: { username: 'oven-1' },
  })
  const sub = content[0]?.sub ?? ''
  const caller = { kind: 'user' as const, sub, username: 'oven-1', realm: 'nordwerk', org }
  const acting = server.as(caller, coreContract)
  expect(await acting.me({})).toMatchObject({ username: 'oven-1', serviceAccount: true })
  const seen = await acting.coreDevices({ params: { org }, query: {} })
  expect(seen.content.map(({ hwId }) => hwId)).toEqual([oven])
  const shown = await as('administrator').deviceAccount(of(oven))
  const roles = ['Administrator of devices', 'Operator']
  expect(shown.account).toMatchObject({ userId: account.userId, roles })
  // Everything on its device, and nothing on another one.
  const rename = (device: string) =>
    server
      .as(caller, mappingsContract)
      .changeCoreDevice({ ...of(device), query: {}, body: { label: 'Oven 1' } })
  await expect(rename(pump)).rejects.toMatchObject({ status: 404 })
})

test('it is made once, also twice at once, and can be taken away and made again', async () => {
  const both = await Promise.allSettled([
    as('administrator').createDeviceAccount({ ...of(pump), body: {} }),
    as('administrator').createDeviceAccount({ ...of(pump), body: {} }),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { status: 409 },
  })
  await as('administrator').deleteDeviceAccount(of(pump))
  expect(await as('administrator').deviceAccount(of(pump))).toEqual({ account: null })
  await expect(as('administrator').deleteDeviceAccount(of(pump))).rejects.toMatchObject({
    status: 404,
  })
  await as('administrator').createDeviceAccount({ ...of(pump), body: {} })
})

test('another organization sees none, and nobody gives a right that they lack', async () => {
  for (const who of ['foreigner', 'neighbour', 'viewer', 'member'] as const) {
    await expect(as(who).createDeviceAccount({ ...of(oven), body: {} })).rejects.toMatchObject({
      status: expect.toSatisfy((status: number) => status === 403 || status === 404),
    })
  }
  const { content } = await as('owner').roles({ params: { org }, query: { name: 'app_owner' } })
  const rolesId = content.map(({ id }) => id)
  await as('administrator').deleteDeviceAccount(of(oven))
  await expect(
    as('administrator').createDeviceAccount({ ...of(oven), body: { rolesId } }),
  ).rejects.toMatchObject({ code: 'core.beyond_own_rights' })
})
