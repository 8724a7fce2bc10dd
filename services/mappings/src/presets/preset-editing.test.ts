import { core } from '@longreach/core'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import { testNow, testServer, type TestServer } from '@longreach/kit/testing'
import { platform } from '@longreach/platform'
import { platformContract } from '@longreach/platform/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mappingsContract } from '../contract.ts'
import { mappings } from '../service.ts'

let server: TestServer
let seeded: Seeded
const above = { organization: 'nordwerk' }
const below = { organization: 'nordwerk.service' }

beforeAll(async () => {
  const services = [identityForTests, core, mappings, platform]
  server = await testServer(services, { admit: coreAuthorizer })
  seeded = await seed(server)
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], mappingsContract)
const platformAs = (who: keyof Seeded['people']) => server.as(seeded.people[who], platformContract)
const model = { type: 'object', properties: { temperature: { type: 'double' } } }
const preset = (instanceOf: string, deadband = 0) => ({
  type: 'object',
  instanceOf,
  UUID: 'z5kn06t96oqqm3fl',
  properties: {
    temperature: {
      version: '1.0.0',
      type: 'double',
      mode: 'R',
      historyPolicy: { enabled: true },
      sendPolicy: {
        triggers: [{ type: 'onchange', changeMask: 'value', deadband, minIntervalMs: 0 }],
      },
      datalink: { source: 'T1' },
    },
  },
})

test('a preset is tried on the history of a device of an organization below', async () => {
  const owner = as('owner')
  const made = await owner.createModel({ query: above, body: { name: 'Kiln:1.0.0', data: model } })
  await owner.shareModel({ params: { id: made.id }, query: above, body: { data: true } })
  const data = preset('Kiln:1.0.0')
  const { id } = await owner.createPreset({ query: above, body: { name: 'Kilns', data } })
  await owner.sharePreset({ params: { id }, query: above, body: { data: true } })
  const body = { label: 'Kiln 1', presetId: id }
  const { deviceId } = await as('administrator').createDevice({ query: below, body })
  const from = testNow.getTime() - 60_000
  const values = [0, 1, 2].map((v): [number, number] => [from + v * 1_000, v])
  await server.as(seeded.people.administrator, platformContract).bulkInsertTags({
    params: { org: below.organization },
    query: {},
    body: [{ deviceId, modelPath: 'Kiln:1/temperature', data: values }],
  })
  const asked = { query: above, body: { data, presetId: id, deviceId } }
  const run = await platformAs('owner').dryRun(asked)
  expect(run).toMatchObject({ issues: [], device: { label: 'Kiln 1' } })
  expect(run.leaves).toMatchObject([{ path: 'Kiln:1/temperature', after: { count: 3 } }])
  // A role that does not reach down sees no device of the organization below.
  await expect(platformAs('parentPlain').dryRun(asked)).rejects.toMatchObject({ status: 404 })
  await expect(platformAs('foreigner').dryRun(asked)).rejects.toMatchObject({ status: 404 })
})

test('a preset can be renamed though its stored content would not be taken any more', async () => {
  const owner = as('owner')
  const made = await owner.createModel({ query: above, body: { name: 'Press:1.0.0', data: model } })
  const share = (data: boolean) =>
    owner.shareModel({ params: { id: made.id }, query: above, body: { data } })
  await share(true)
  const administrator = as('administrator')
  const data = preset('Press:1.0.0')
  const stored = await administrator.createPreset({ query: below, body: { name: 'Presses', data } })
  await share(false)
  const change = (body: { name?: string; data?: Record<string, unknown> }) =>
    administrator.updatePreset({ params: { id: stored.id }, query: below, body })
  const { value } = await change({ name: 'Presses of hall 2', data })
  expect(value).toMatchObject({ name: 'Presses of hall 2', json: data, modelName: 'Press' })
  expect(value.updatedAt).toBeGreaterThanOrEqual(stored.updatedAt)
  // New content is judged as ever.
  await expect(change({ data: preset('Press:1.0.0', 5) })).rejects.toMatchObject({ status: 422 })
})
