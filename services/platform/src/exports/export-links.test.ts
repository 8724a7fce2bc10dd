import { identityContract } from '@longreach/identity/contract'
import { publish } from '@longreach/kit/events'
import { person } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platformContract } from '../contract.ts'
import {
  allOnDevices,
  configurationText,
  newDeviceId,
  testPlatform,
  type TestPlatform,
} from '../platform-testing.ts'

const org = 'exor'
let platform: TestPlatform
let ann: ReturnType<TestPlatform['member']>
const deviceId = newDeviceId()

beforeAll(async () => {
  platform = await testPlatform()
  ann = platform.member('ann', org)
  const configuration = configurationText({ level: { type: 'double' } })
  const facts = { label: 'Pump', realm: 'exor', orgResourceId: org, groups: [], configuration }
  platform.register.devices.set(deviceId, facts)
  await platform.change(deviceId, {})
  await platform.settle()
  const data: [number, number][] = [[Date.now() - 60_000, 1]]
  const body = [{ deviceId, modelPath: 'Probe:1/level', data }]
  await ann.bulkInsertTags({ params: { org }, query: {}, body })
})
afterAll(() => platform.close())

async function exported() {
  const range = { since: Date.now() - 3_600_000, to: Date.now() }
  const body = { devices: { ids: [deviceId] }, format: 'csv' as const, ...range }
  const { id } = await ann.startExport({ params: { org }, body })
  await platform.settle()
  return id
}

test('a link ends with the session that asked for it, and keeps the rules of its organization [C-20]', async () => {
  const id = await exported()
  const session = 'session-of-ann'
  const inSession = platform.as({ ...person('ann', 'exor', org), session }, platformContract)
  const link = async (who = inSession) =>
    (await who.exportLink({ params: { org, exportId: id } })).url
  const follow = async (url: string) => {
    const answer = await platform.fetchAs()(url)
    const { code } = answer.ok ? { code: '' } : ((await answer.json()) as { code: string })
    return { status: answer.status, code }
  }
  const [url, other] = [await link(), await link(ann)]
  const right = platform.rights['ann']?.[org]
  const has = (more: object) => {
    platform.rights['ann'] = { [org]: { ...allOfAnn, ...more } }
  }
  has({ allowedAddresses: ['203.0.113.7'] })
  expect(await follow(url)).toEqual({ status: 403, code: 'auth.address_not_allowed' })
  has({ secondFactorRequired: true })
  expect(await follow(url)).toEqual({ status: 403, code: 'auth.second_factor_needed' })
  has({ capability: { grants: {}, deviceGroups: [] } })
  expect(await follow(url)).toEqual({ status: 403, code: 'auth.missing_permission' })
  delete platform.rights['ann']
  expect((await follow(url)).status).toBe(410)
  platform.rights['ann'] = { [org]: right ?? allOfAnn }
  expect((await follow(url)).status).toBe(200)

  await platform.database.db
    .transaction()
    .execute((tx) => publish(tx, identityContract.events.sessionEnded, { session, sub: 'ann' }))
  await platform.settle()
  expect((await follow(url)).status).toBe(410)
  expect((await follow(other)).status).toBe(200)
})

const allOfAnn = { capability: allOnDevices, below: false }
