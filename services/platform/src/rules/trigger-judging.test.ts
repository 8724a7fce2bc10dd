import { afterAll, beforeAll, expect, test } from 'vitest'
import { testPlatform, type TestPlatform } from '../platform-testing.ts'
import { connected, org, pairedDevice } from './rule-testing.ts'

let platform: TestPlatform
beforeAll(async () => {
  platform = await testPlatform({ graceMs: 50 })
})
afterAll(() => platform.close())

const path = 'Probe:1/temperature'
const band = (more: object = {}) => ({
  type: 'ANALOG_BAND',
  modelPathMatcher: path,
  min: 50,
  ...more,
})
const save = (policy: unknown, more: Parameters<TestPlatform['triggers']['save']>[3] = {}) =>
  platform.triggers.save(platform.database.db, org, policy, more)
/** A device with triggers of its own: a device group that no other device has. */
let group = 100
async function deviceWith(...policies: unknown[]) {
  group += 1
  const paired = await pairedDevice(platform, { groups: [group] })
  const ids = []
  for (const policy of policies) ids.push(await save(policy, { deviceGroups: [String(group)] }))
  return { ids, paired, group: String(group), ...(await connected(platform, paired)) }
}
/** Firings of a trigger, as their times and instances. */
const firedOf = (id: string | undefined, kind = 'fired') =>
  platform.triggers.fired.filter((one) => one.triggerId === id && one.kind === kind)
const timesOf = (id: string | undefined) => firedOf(id).map(({ t }) => t)
const expectTimes = async (id: string | undefined, times: number[]) => {
  await expect.poll(() => timesOf(id), { timeout: 30_000 }).toEqual(times)
}

test('[R-23] every kind of policy fires at the times of the values', async () => {
  const { ids, send } = await deviceWith(
    band(),
    { type: 'ON_CHANGED', modelPathMatcher: path },
    { type: 'ON_LEVEL', modelPathMatcher: path, level: 60, mode: 'ON_ENTER' },
    { type: 'PASSTHROUGH', modelPathMatcher: 'Probe:1/*' },
    {
      type: 'AND_OPERATOR',
      innerPolicies: [
        band(),
        { type: 'ON_LEVEL', modelPathMatcher: 'Probe:1/door', levelBool: true },
      ],
    },
    {
      type: 'OR_OPERATOR',
      innerPolicies: [
        band({ min: 65 }),
        { type: 'ON_LEVEL', modelPathMatcher: 'Probe:1/door', levelBool: true },
      ],
    },
  )
  const start = Date.now() - 30_000
  await send(20, start)
  await send(55, start + 1_000)
  await send(55, start + 2_000)
  await send(1, start + 3_000, 'door')
  await send(62, start + 4_000)
  await send(0, start + 5_000, 'door')
  await send(70, start + 6_000)
  const [inBand, changed, level, each, and, or] = ids
  await expectTimes(or, [start + 3_000, start + 6_000])
  await expectTimes(inBand, [start + 1_000])
  await expectTimes(changed, [start + 1_000, start + 4_000, start + 6_000])
  await expectTimes(level, [start + 4_000])
  await expect
    .poll(() => timesOf(each).toSorted(), { timeout: 30_000 })
    .toEqual([0, 1, 2, 3, 4, 5, 6].map((second) => start + second * 1_000))
  await expectTimes(and, [start + 3_000])
  const [one] = firedOf(and)
  expect(one).toMatchObject({
    orgResourceId: org,
    instance: '',
    isAgain: false,
    inputs: [
      { path, value: 55, isCause: false },
      { path: 'Probe:1/door', value: 1, isCause: true },
    ],
    conditions: [
      {
        place: 'policy.innerPolicies.0',
        type: 'ANALOG_BAND',
        path,
        truth: true,
        since: start + 1_000,
      },
      { place: 'policy.innerPolicies.1', type: 'ON_LEVEL', truth: true, since: start + 3_000 },
    ],
  })
})

test('[R-23] what held when a trigger was saved is no firing, and the next edge is one', async () => {
  const { send, group: groups } = await deviceWith()
  const start = Date.now() - 10_000
  await send(60, start)
  const id = await save(band(), { deviceGroups: [groups], updatedAt: Date.now() - 5_000 })
  const end = await save({ type: 'ON_CHANGED', modelPathMatcher: path }, { deviceGroups: [groups] })
  await new Promise((resolve) => setTimeout(resolve, 200))
  await send(20, start + 7_000)
  await send(70, start + 8_000)
  await expect.poll(() => timesOf(end).at(-1), { timeout: 30_000 }).toBe(start + 8_000)
  expect(timesOf(id)).toEqual([start + 8_000])
})

test('[R-23] a time under way ends without a further value; one that is broken off is told', async () => {
  const { ids, send } = await deviceWith(band({ time: 1_500 }))
  const start = Date.now()
  await send(60, start - 5_000)
  await send(20, start - 4_500)
  await send(60, start)
  await expectTimes(ids[0], [start + 1_500])
  expect(firedOf(ids[0], 'delay_broken')).toMatchObject([
    { t: start - 4_500, conditions: [{ timeMs: 1_500, truth: true, since: start - 5_000 }] },
  ])
})

test('[R-23] one of two conditions short is told, once a minute', async () => {
  const { ids, send } = await deviceWith({
    type: 'AND_OPERATOR',
    innerPolicies: [
      band(),
      { type: 'ON_LEVEL', modelPathMatcher: 'Probe:1/door', levelBool: true },
    ],
  })
  const start = Date.now() - 9_000
  await send(0, start, 'door')
  for (let second = 1; second < 5; second += 1)
    await send(second % 2 ? 60 : 20, start + second * 1_000)
  await send(1, start + 6_000, 'door')
  await send(60, start + 7_000)
  await expectTimes(ids[0], [start + 7_000])
  expect(firedOf(ids[0], 'one_short')).toHaveLength(1)
})

test('[R-23] a connection that comes and goes fires at its own time', async () => {
  const { ids, client, paired } = await deviceWith(
    { type: 'CONNECTION', status: 'ON' },
    { type: 'CONNECTION', status: 'OFF' },
  )
  await expect.poll(() => timesOf(ids[0]).length, { timeout: 30_000 }).toBe(1)
  await client.endAsync(true)
  await expect.poll(() => timesOf(ids[1]).length, { timeout: 30_000 }).toBe(1)
  await connected(platform, paired)
  await expect.poll(() => timesOf(ids[0]).length, { timeout: 30_000 }).toBe(2)
})

test('[R-23] values out of order are judged again, and their firings marked', async () => {
  const { ids, send } = await deviceWith(band())
  const start = Date.now() - 10_000
  await send(20, start)
  await send(60, start + 3_000)
  await expectTimes(ids[0], [start + 3_000])
  await send(60, start + 1_000)
  await send(20, start + 2_000)
  await expect
    .poll(() => firedOf(ids[0]).filter(({ isAgain }) => isAgain).length, { timeout: 30_000 })
    .toBeGreaterThan(0)
  const again = firedOf(ids[0]).filter(({ isAgain }) => isAgain)
  expect(again.some(({ t }) => t === start + 1_000)).toBe(true)
})

test('[R-23] a trigger that is deleted, or of other device groups, fires no more', async () => {
  const { ids, send, group: groups } = await deviceWith(band())
  const other = await save(band(), { deviceGroups: ['7'] })
  const witness = await save(
    { type: 'PASSTHROUGH', modelPathMatcher: path },
    { deviceGroups: [groups] },
  )
  const start = Date.now() - 10_000
  await platform.triggers.remove(platform.database.db, ids[0] ?? '')
  await new Promise((resolve) => setTimeout(resolve, 300))
  await send(60, start)
  await expectTimes(witness, [start])
  expect([...timesOf(ids[0]), ...timesOf(other)]).toEqual([])
})

test('[R-23] a write of a trigger is carried out with the rights of its owner', async () => {
  const { id, client } = await deviceWith()
  const owner = { sub: 'olga', username: 'olga', realm: 'exor' }
  const write = (path_: string) => {
    const waiting = { id: crypto.randomUUID(), path: path_, value: 5 }
    void platform.triggers.write(platform.database.db, id, { ...waiting, organization: org, owner })
    return waiting.id
  }
  const endOf = async (one: string) => {
    const found = () => platform.triggers.ended.find((end) => end.id === one)
    await expect.poll(found, { timeout: 30_000 }).toBeDefined()
    return found()
  }
  expect(await endOf(write(path))).toMatchObject({ isWritten: false })
  platform.member('olga', org)
  const refused = await endOf(write(path))
  expect(refused).toMatchObject({
    isWritten: false,
    answer: expect.stringContaining('can only be read'),
  })
  await client.endAsync(true)
})

test('[R-23] a trial fires where the trigger would have fired', async () => {
  const { id, ids, send } = await deviceWith(band())
  const start = Date.now() - 60_000
  for (let second = 0; second < 20; second += 1)
    await send(second % 10 < 5 ? 20 : 60, start + second * 1_000)
  await expectTimes(ids[0], [start + 5_000, start + 15_000])
  const member = platform.member('tina', org)
  const right = platform.rights['tina']?.[org]
  if (right)
    right.capability = { ...right.capability, grants: { ...right.capability.grants, triggers: 1 } }
  const tried = await member.tryTriggerData({
    query: { organization: org },
    body: {
      devices: [id],
      from: start - 1,
      to: start + 30_000,
      triggerData: {
        policy: band(),
        actions: [{ uuid: 'a' }, { uuid: 'b', throttlingIntervalInMSec: 60_000 }],
      },
    },
  })
  expect(tried).toMatchObject({
    complete: true,
    devices: [
      {
        count: 2,
        firings: [{ t: start + 5_000, instance: path }, { t: start + 15_000 }],
        runs: { a: 2, b: 1 },
        conditions: [
          {
            place: 'policy',
            path,
            instance: path,
            spans: [
              { state: 'unknown' },
              { from: start, to: start + 5_000, state: 'no' },
              { to: start + 10_000, state: 'yes' },
              { to: start + 15_000, state: 'no' },
              { to: start + 30_000, state: 'yes' },
            ],
          },
        ],
        furtherConditions: 0,
        oneShort: [],
      },
    ],
  })
  const bad = member.tryTriggerData({
    query: { organization: org },
    body: { devices: [id], from: 0, to: 1, triggerData: { policy: { type: 'NONE' } } },
  })
  await expect(bad).rejects.toMatchObject({ status: 422, code: 'platform.policy_invalid' })
})
