import { core } from '@longreach/core'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import { publishAll } from '@longreach/kit/events'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mappingsContract } from '../contract.ts'
import { mappings } from '../service.ts'
import { deviceStateEvents } from './device-state-contract.ts'

let server: TestServer
let people: Seeded['people']
const query = { organization: 'nordwerk.service' }
const client = () => server.as(people.administrator, mappingsContract)

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], { admit: coreAuthorizer })
  ;({ people } = await seed(server))
})
afterAll(() => server.close())

async function told(deviceId: string, ...changes: { counts: number[]; max: number }[]) {
  const events = changes.map((change) => ({ deviceId, ...change }))
  await server.database.db
    .transaction()
    .execute((tx) => publishAll(tx, deviceStateEvents.alarmCounts, events))
  await server.settle()
  const { value } = await client().device({ params: { id: deviceId }, query })
  return value.attributes
}

test('attributes of a device follow its open alarms, and lists are searched by them [C-26 in part]', async () => {
  const { deviceId } = await client().createDevice({ query, body: { label: 'Oven' } })
  await client().setAttribute({
    params: { id: deviceId },
    query,
    body: { key: 'site', value: 'Kassel' },
  })
  const none = { n_active_0: 0, n_active_1: 0, n_active_2: 0, n_active_4: 0, n_active_6: 0 }
  const open = await told(deviceId, { counts: [0, 0, 0, 1, 0, 2, 0], max: 5 })
  expect(open).toMatchObject({
    site: 'Kassel',
    alarms: { ...none, n_active_3: 1, n_active_5: 2 },
    alarms_max_severity: 5,
  })
  const search = async (data: string) =>
    (await client().searchDevices({ query, body: { data } })).totalElements
  expect(await search('attributes.alarms_max_severity >= 5')).toBe(1)
  // Of changes that come together the last one counts.
  const over = await told(
    deviceId,
    { counts: [0, 0, 0, 0, 0, 1, 0], max: 5 },
    { counts: [0, 0, 0, 0, 0, 0, 0], max: -1 },
  )
  expect(over).toEqual({ site: 'Kassel', alarms: { ...none, n_active_3: 0, n_active_5: 0 } })
  expect(await search('attributes.alarms_max_severity >= 0')).toBe(0)
})

test.each(['alarms', 'alarms_max_severity'])('people cannot set the attribute %s', async (key) => {
  const { deviceId } = await client().createDevice({ query, body: { label: `Own ${key}` } })
  const refused = client().setAttribute({
    params: { id: deviceId },
    query,
    body: { key, value: 0 },
  })
  await expect(refused).rejects.toMatchObject({ status: 422, details: { field: 'key' } })
})
