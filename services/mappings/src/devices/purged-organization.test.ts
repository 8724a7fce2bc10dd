import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import { publish } from '@longreach/kit/events'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mappingsContract } from '../contract.ts'
import { mappings } from '../service.ts'

let server: TestServer
let seeded: Seeded
beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], { admit: coreAuthorizer })
  seeded = await seed(server)
})
afterAll(() => server.close())

const as = () => server.as(seeded.people.owner, mappingsContract)

async function furnish(organization: string) {
  const query = { organization }
  const data = { type: 'object', properties: { t: { type: 'double' } } }
  await as().createModel({ query, body: { name: 'M', data } })
  const preset = {
    type: 'object',
    instanceOf: 'M:1.0.0',
    properties: {
      t: { type: 'double', mode: 'R', historyPolicy: { enabled: true }, datalink: { source: 'T' } },
    },
  }
  const { id } = await as().createPreset({ query, body: { name: 'P', data: preset } })
  await as().createDevice({ query, body: { label: 'Press', presetId: id } })
}

test('devices, presets and models go with their organization, those of others stay', async () => {
  await furnish('nordwerk.press')
  await furnish('nordwerk.service')
  const { id } = seeded.organizations.press
  const gone = { id, resourceId: 'nordwerk.press' }
  const tell = () =>
    server.database.db.transaction().execute((tx) =>
      publish(tx, coreContract.events.organizationPurged, {
        resourceId: gone.resourceId,
        organizations: [gone],
      }),
    )
  await tell()
  await tell()
  await server.settle()
  for (const table of ['device', 'preset', 'model', 'model_path']) {
    const { rows } = await server.database.pool.query<{ organization: string }>(
      `select distinct organization from mappings.${table}`,
    )
    expect([table, rows]).toEqual([table, [{ organization: 'nordwerk.service' }]])
  }
  const { rows } = await server.database.pool.query<{ payload: object }>(
    "select payload from bus.event where topic = 'mappings.device_life'",
  )
  expect(rows).toMatchObject([{ payload: { orgResourceId: 'nordwerk.press' } }])
})
