import { core } from '@longreach/core'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import { publish } from '@longreach/kit/events'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { platformContract } from '@longreach/platform/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mappingsContract } from '../contract.ts'
import { mappings } from '../service.ts'

let server: TestServer
let seeded: Seeded
const made: Record<string, string> = {}
const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], mappingsContract)

async function create(label: string, organization: string) {
  const device = await as('owner').createDevice({ query: { organization }, body: { label } })
  made[label] = device.id
}

async function tell(label: string, { connected, error }: { connected: boolean; error?: string }) {
  const deviceId = made[label] ?? ''
  const at = Date.now()
  const { deviceConnection, configurationStatus } = platformContract.events
  await server.database.db.transaction().execute(async (tx) => {
    await publish(tx, deviceConnection, { deviceId, connected, at })
    if (error !== undefined) {
      const status = { deviceId, sent: true, applied: false, error, at }
      await publish(tx, configurationStatus, status)
    }
  })
}

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], { admit: coreAuthorizer })
  seeded = await seed(server)
  for (const label of ['Press 1', 'Press 2']) await create(label, 'nordwerk.press')
  for (const label of ['Oven 1', 'Oven 2', 'Oven 3']) await create(label, 'nordwerk.service')
  await tell('Press 1', { connected: true })
  await tell('Oven 1', { connected: true, error: 'no room for 300 values' })
  await tell('Oven 2', { connected: true })
  await tell('Oven 2', { connected: false })
  await server.settle()
})
afterAll(() => server.close())

const fleet = (who: keyof Seeded['people'], organization: string) =>
  as(who).fleet({ query: { organization } })

test('devices are counted in all and by organization, the one with most offline first', async () => {
  const { counts, organizations, organizationCount, failed } = await fleet('owner', 'nordwerk.*')
  expect(counts).toEqual({
    total: 5,
    online: 2,
    offline: 1,
    never: 2,
    withoutPreset: 5,
    configurationPending: 0,
    configurationFailed: 1,
  })
  expect(organizationCount).toBe(2)
  expect(
    organizations.map(({ orgResourceId, total, offline }) => [orgResourceId, total, offline]),
  ).toEqual([
    ['nordwerk.service', 3, 1],
    ['nordwerk.press', 2, 0],
  ])
  const error = 'no room for 300 values'
  const orgResourceId = 'nordwerk.service'
  expect(failed).toEqual([{ deviceId: made['Oven 1'], label: 'Oven 1', orgResourceId, error }])
})

test('the counts are those of the organization that is asked for, and of nobody else', async () => {
  const press = await fleet('owner', 'nordwerk.press')
  expect(press.counts).toMatchObject({ total: 2, online: 1, never: 1, configurationFailed: 0 })
  const viewer = await fleet('viewer', 'nordwerk.service.*')
  expect(viewer.organizations.map((one) => one.orgResourceId)).toEqual(['nordwerk.service'])
  expect(await fleet('foreigner', 'acqua.*')).toEqual({
    counts: expect.objectContaining({ total: 0, offline: 0 }),
    organizations: [],
    organizationCount: 0,
    failed: [],
  })
  await expect(fleet('foreigner', 'nordwerk.*')).rejects.toMatchObject({ status: 404 })
  await expect(fleet('member', 'nordwerk.service')).rejects.toMatchObject({ status: 403 })
})
