import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  configurationText,
  newDeviceId,
  testPlatform,
  type TestPlatform,
} from '../platform-testing.ts'

const org = 'exor'
let platform: TestPlatform
beforeAll(async () => {
  platform = await testPlatform()
})
afterAll(() => platform.close())

const lines = async () => {
  const { rows } = await sql<{ payload: { id: string; label: string } }>`
    select payload from bus.event where topic = 'audit.recorded' order by id`.execute(
    platform.database.db,
  )
  return rows.map(({ payload: { id, label } }) => ({ id, label }))
}

test('values that are brought in stand in the trail with the names of their devices', async () => {
  const configuration = configurationText({ level: { type: 'double' } })
  const ids = ['Press', 'Saw', 'Mill', 'Lathe'].map((label) => {
    const deviceId = newDeviceId()
    const facts = { label, realm: 'exor', orgResourceId: org, groups: [], configuration }
    platform.register.devices.set(deviceId, facts)
    return deviceId
  })
  const ann = platform.member('ann', org)
  const data: [number, number][] = [[Date.now() - 60_000, 1]]
  const insert = (some: string[]) =>
    ann.bulkInsertTags({
      params: { org },
      query: {},
      body: some.map((deviceId) => ({ deviceId, modelPath: 'Probe:1/level', data })),
    })
  for (const id of ids) await platform.change(id, {})
  await platform.settle()
  await insert(ids.slice(0, 1))
  await insert(ids)
  expect(await lines()).toEqual([
    { id: ids[0], label: 'Press' },
    { id: '', label: 'Press, Saw, Mill +1' },
  ])
})
