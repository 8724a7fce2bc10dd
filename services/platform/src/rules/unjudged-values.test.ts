import { bitOf } from '@longreach/authorization/capability'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testPlatform, type TestPlatform } from '../platform-testing.ts'
import {
  changesOf,
  connected,
  expectChanges,
  pairedDevice,
  ruleFor,
  saveRule,
} from './rule-testing.ts'

let platform: TestPlatform
beforeAll(async () => {
  platform = await testPlatform({ graceMs: 50, mostLateValues: 20 })
})
afterAll(() => platform.close())

const dayMs = 86_400_000

/** Person who may see the alarms and devices of an organization, and nothing else. */
function reader(sub: string, org: string) {
  const client = platform.member(sub, org)
  const grants = { devices: bitOf('read'), alarms: bitOf('read') }
  platform.rights[sub] = { [org]: { capability: { grants, deviceGroups: [] }, below: false } }
  return client
}

/** Device whose rule has raised an alarm at `start`, after values each second that are more than its ring keeps. */
async function deviceSince(start: number) {
  const paired = await pairedDevice(platform)
  const ruleId = await saveRule(platform, ruleFor(paired.id))
  const { id, send } = await connected(platform, paired)
  for (let back = 30; back > 0; back -= 1) await send(20, start - back * 1_000)
  await send(60, start)
  await expectChanges(platform, id, [`raise ${start}`])
  return { id, ruleId, send }
}
const asked = async (query: object, who = reader('rita', 'exor')) =>
  (await who.unjudgedValues({ query })).data

test('late values before too many others are left as they are, and it is said of rule and device', async () => {
  const start = Date.now() - 3_600_000
  const { id, ruleId, send } = await deviceSince(start)
  const late = start - 60_000
  await send(60, late)
  const found = {
    deviceId: id,
    deviceLabel: id,
    ruleId,
    reason: 'values',
    from: late,
    to: start,
  }
  await expect.poll(() => asked({ ruleId }), { timeout: 30_000 }).toMatchObject([found])
  expect(await asked({ deviceId: id })).toMatchObject([found])
  expect(changesOf(platform, id)).toEqual([`raise ${start}`])
})

test('values older than seven days are left as they are, and it is said once with their times', async () => {
  const start = Date.now() - 3_600_000
  const { id, ruleId, send } = await deviceSince(start)
  const times = [start - 9 * dayMs, start - 8 * dayMs]
  for (const t of times) await send(60, t)
  const found = { ruleId, reason: 'age', from: times[0], to: times[1] }
  await expect.poll(() => asked({ deviceId: id }), { timeout: 30_000 }).toMatchObject([found])
  expect(changesOf(platform, id)).toEqual([`raise ${start}`])
})

test('another organization hears of no such values, and a question about nothing is refused', async () => {
  const start = Date.now() - 3_600_000
  const { id, ruleId, send } = await deviceSince(start)
  await send(60, start - 8 * dayMs)
  await expect.poll(async () => (await asked({ ruleId })).length, { timeout: 30_000 }).toBe(1)
  const eve = reader('eve', 'acme')
  expect(await asked({ ruleId }, eve)).toEqual([])
  await expect(asked({ deviceId: id }, eve)).rejects.toMatchObject({ status: 404 })
  await expect(asked({})).rejects.toMatchObject({ status: 400, code: 'platform.bad_query' })
  const zoe = platform.member('zoe', 'exor')
  platform.rights['zoe'] = {
    exor: { capability: { grants: {}, deviceGroups: [] }, below: false },
  }
  await expect(asked({ ruleId }, zoe)).rejects.toMatchObject({ status: 403 })
})
