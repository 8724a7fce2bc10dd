import { everyAction } from '@longreach/authorization/capability'
import { person } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platformContract } from '../contract.ts'
import { allOnDevices, testPlatform, type TestPlatform } from '../platform-testing.ts'
import { TrialBudget } from './rule-attempt.ts'
import { connected, expectChanges, org, pairedDevice, ruleFor, saveRule } from './rule-testing.ts'

let platform: TestPlatform
beforeAll(async () => {
  platform = await testPlatform({ graceMs: 50 })
})
afterAll(() => platform.close())

/** Client of a person who may read alarms and devices of an organization. */
function reader(sub: string, organization = org, more: Record<string, unknown> = {}) {
  const grants = { ...allOnDevices.grants, alarms: everyAction }
  const capability = { ...allOnDevices, grants, ...more }
  platform.rights[sub] = { [organization]: { capability, below: false } }
  return platform.as(person(sub, 'exor', organization), platformContract)
}

const minuteMs = 60_000
const start = Date.now() - 120 * minuteMs
/** Values by the minute: too hot in minutes 10 to 12, for two seconds in minute 20, and from 100 on. */
const values = [
  ...Array.from({ length: 120 }, (_, minute) => ({
    t: start + minute * minuteMs,
    v: (minute >= 10 && minute < 13) || minute === 20 || minute >= 100 ? 60 : 20,
  })),
  { t: start + 20 * minuteMs + 2_000, v: 20 },
]

async function deviceWithPast() {
  const paired = await pairedDevice(platform)
  const line = await connected(platform, paired)
  for (const { t, v } of values.toSorted((one, other) => one.t - other.t)) await line.send(v, t)
  return { ...line, paired }
}
const range = { from: start, to: start + 120 * minuteMs }
const query = { organization: org }

test('a rule that is tried says what it would have raised, as the rule does that judges values', async () => {
  const paired = await pairedDevice(platform)
  const rule = ruleFor(paired.id)
  await saveRule(platform, rule)
  const { id, send } = await connected(platform, paired)
  for (const { t, v } of values.toSorted((one, other) => one.t - other.t)) await send(v, t)
  const body = { rule, devices: [id], ...range }
  const { devices, complete, values: read } = await reader('ann').tryRule({ query, body })
  expect({ complete, read }).toEqual({ complete: true, read: 121 })
  expect(devices).toMatchObject([
    {
      deviceId: id,
      occurrences: [
        { instance: '', start: start + 10 * minuteMs, end: start + 13 * minuteMs, severity: 5 },
        { start: start + 20 * minuteMs, end: start + 20 * minuteMs + 2_000 },
        { start: start + 100 * minuteMs },
      ],
      count: 3,
      under5s: 1,
      mostInTenMinutes: 1,
      missing: [],
      difference: null,
    },
  ])
  expect(devices[0]?.hours).toBeCloseTo((3 + 2 / 60 + 20) / 60)
  await expectChanges(
    platform,
    id,
    devices[0]?.occurrences.flatMap(({ start: t, end }) => [
      `raise ${t}`,
      ...(end === undefined ? [] : [`return ${end}`]),
    ]) ?? [],
  )
})

test('a delay shows what it leaves out, how near that was, and the difference from the saved rule', async () => {
  const { id } = await deviceWithPast()
  const saved = await saveRule(platform, ruleFor(id))
  const rule = ruleFor(id, { onDelayMs: 4 * minuteMs })
  const body = { rule, ruleId: saved, devices: [id], ...range }
  const { devices } = await reader('ann').tryRule({ query, body })
  expect(devices).toMatchObject([
    {
      count: 1,
      nearestMisses: [
        { t: start + 10 * minuteMs, heldMs: 3 * minuteMs, ofMs: 4 * minuteMs },
        { t: start + 20 * minuteMs, heldMs: 2_000 },
      ],
      difference: { more: 0, fewer: 2, moved: 1 },
    },
  ])
})

test('silence is tried on gaps between values', async () => {
  const { id } = await deviceWithPast()
  const rule = ruleFor(id, { kind: 'silence', when: { forMs: 50_000 } })
  const part = { from: start, to: start + 5 * minuteMs }
  const body = { rule, devices: [id], ...part }
  const { devices } = await reader('ann').tryRule({ query, body })
  expect(devices[0]?.occurrences[0]).toMatchObject({ start: start + 50_000, end: start + minuteMs })
})

test('paths that the caller may not read are named and not read', async () => {
  const { id } = await deviceWithPast()
  const mask = everyAction
  const paths = [
    { groups: null, mask, read: ['Probe:1/door'], history: ['Probe:1/door'], write: [] },
  ]
  const limited = reader('bob', org, { grants: { alarms: everyAction }, paths })
  const { devices, values: read } = await limited.tryRule({
    query,
    body: { rule: ruleFor(id), devices: [id], ...range },
  })
  expect(devices).toMatchObject([{ count: 0, missing: ['temperature'] }])
  expect(read).toBe(0)
})

test('a device of another organization is not found, and nobody tries rules without the permission', async () => {
  const { id } = await pairedDevice(platform)
  const body = { rule: ruleFor(id), devices: [id], ...range }
  await expect(
    reader('eve', 'other').tryRule({ query: { organization: 'other' }, body }),
  ).rejects.toMatchObject({ status: 404 })
  await expect(platform.member('max', org).tryRule({ query, body })).rejects.toMatchObject({
    status: 403,
  })
})

test('a rule with faults is refused with the place of each, and times in the wrong order too', async () => {
  const { id } = await pairedDevice(platform)
  const ann = reader('ann')
  const bad = ruleFor(id, { when: { path: 'Probe:1/temperature', op: '>', value: 50, clear: 60 } })
  await expect(
    ann.tryRule({ query, body: { rule: bad, devices: [id], ...range } }),
  ).rejects.toMatchObject({
    status: 422,
    code: 'platform.rule_invalid',
    details: { issues: [{ place: 'when.clear' }] },
  })
  const body = { rule: ruleFor(id), devices: [id], from: range.to, to: range.from }
  await expect(ann.tryRule({ query, body })).rejects.toMatchObject({
    status: 400,
    details: { field: 'from' },
  })
})

test('an alarm of the device that suppresses a rule is tried with it', async () => {
  const { id } = await deviceWithPast()
  // Another rule that is active at the same times, and half a minute longer.
  const other = await saveRule(
    platform,
    ruleFor(id, { name: 'Other', onDelayMs: 0, offDelayMs: 30_000 }),
  )
  const rule = ruleFor(id, { name: 'Hidden', unless: { rule: other } })
  const plain = ruleFor(id, { name: 'Plain' })
  const run = async (one: object) => {
    const body = { rule: one, devices: [id], ...range }
    return (await reader('ann').tryRule({ query, body })).devices[0]
  }
  expect((await run(plain))?.count).toBe(3)
  expect(await run(rule)).toMatchObject({ count: 0, missing: [] })
  // A rule that does not judge the device suppresses nothing.
  const unknown = ruleFor(id, { name: 'Hidden', unless: { rule: 'no-such-rule' } })
  expect((await run(unknown))?.count).toBe(3)
})

test('a schedule of the device is tried in its time zone', async () => {
  const { id } = await deviceWithPast()
  const master = platform.register.devices.get(id)!
  // The hour of the device in which the last alarm of the values begins, and the one after it.
  const hourIn = (timeZone: string, t: number) =>
    Number(new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(t))
  const zone = 'Asia/Tokyo'
  const text = (hour: number) => `${String((hour + 24) % 24).padStart(2, '0')}:00`
  const hour = hourIn(zone, start + 100 * minuteMs)
  const days = [0, 1, 2, 3, 4, 5, 6]
  const rule = ruleFor(id, {
    schedule: { zone: 'device', times: [{ days, from: text(hour - 3), to: text(hour + 2) }] },
  })
  const run = async () => {
    const body = { rule, devices: [id], ...range }
    return (await reader('ann').tryRule({ query, body })).devices[0]?.count
  }
  platform.register.devices.set(id, { ...master, attributes: { timezone: zone } })
  expect(await run()).toBe(3)
  // Ten hours away from there the window is closed.
  platform.register.devices.set(id, { ...master, attributes: { timezone: 'America/Denver' } })
  expect(await run()).toBe(0)
})

test('the loss of the connection is tried on when the device came and went', async () => {
  const { id, client } = await deviceWithPast()
  const before = Date.now()
  await client.endAsync()
  const rule = ruleFor(id, { kind: 'connection', when: { source: 'IOT', status: 'OFF' } })
  const run = async () => {
    const body = { rule, devices: [id], from: start, to: Date.now() + 1 }
    return (await reader('ann').tryRule({ query, body })).devices[0]?.occurrences ?? []
  }
  await expect.poll(async () => (await run()).length, { timeout: 20_000 }).toBe(1)
  const [lost] = await run()
  expect(lost?.start).toBeGreaterThanOrEqual(before)
  expect(lost?.end).toBeUndefined()
})

test('a trial that costs too much ends where it is, and says so', () => {
  const byValues = new TrialBudget({ values: 100, ms: 60_000 })
  expect([byValues.spend(60), byValues.spend(40), byValues.isOver]).toEqual([true, true, false])
  expect([byValues.spend(1), byValues.isOver, byValues.values]).toEqual([false, true, 101])
  const byTime = new TrialBudget({ values: 100, ms: -1 })
  expect([byTime.spend(1), byTime.isOver]).toEqual([false, true])
})
