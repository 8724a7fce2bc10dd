import { bitOf, type Capability } from '@longreach/authorization/capability'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testAlarms, type TestAlarms } from '../alarms-testing.ts'

const day = 86_400_000
const start = Date.UTC(2026, 0, 5)
const words = { value: 231.5, limit: 230, values: {} }
let server: TestAlarms
let ann: ReturnType<TestAlarms['member']>
let oven: string
let press: string
let ruleId: string
const asked = { from: start, to: start + day }

const reads = (more: Partial<Capability> = {}): Capability => ({
  grants: { alarms: bitOf('read') },
  deviceGroups: [],
  ...more,
})

/** Alarms of the rule on the oven: each begins at a second of the day and lasts some. */
async function alarmsAt(times: readonly number[], lastsS: number) {
  const changes = times.flatMap((s) => [
    { kind: 'raise', t: start + s * 1_000, level: 0, severity: 3, words } as const,
    { kind: 'return', t: start + (s + lastsS) * 1_000 } as const,
  ])
  const event = { deviceId: oven, ruleId, ruleVersion: 1, instance: '', heardAt: start + day }
  await server.ruleChanged({ ...event, changes })
}

const reported = (name: string, startedAt: number, more: object = {}) => ({
  deviceId: press,
  name,
  description: '',
  tag: '',
  severity: 6,
  state: 11,
  startedAt,
  changedAt: startedAt,
  heardAt: startedAt,
  certificate: '',
  value: null,
  ...more,
})

beforeAll(async () => {
  server = await testAlarms(() => new Date(start + 2 * day))
  ann = server.member('ann', 'exor', { below: true })
  oven = server.addDevice('exor', { label: 'Oven', groups: [1] })
  press = server.addDevice('exor.south', { label: 'Press', groups: [2] })
  // The rule asks for no acknowledgement: each alarm is one of its own.
  ruleId = await server.addRule('exor', { ack: false, chatter: { max: 0, withinMs: 0 } })
  // Twelve within ten minutes after six, of which three within a minute; one in the evening.
  await alarmsAt(
    [...Array.from({ length: 9 }, (_, n) => 21_600 + n * 61), 22_100, 22_115, 22_130],
    5,
  )
  await alarmsAt([80_000], 400)
  await server.report(reported('Door', start - 2 * day), reported('Jam', start + 1_000))
})
afterAll(() => server.close())

test('the figures of a day are whole and by shift [R-22 in part]', async () => {
  const { whole, shifts, course, standing, stale } = await ann.report({ query: asked })
  expect(whole).toMatchObject({
    hours: 24,
    alarms: 13,
    perHour: 13 / 24,
    floodShare: 1 / 144,
    mostInTenMinutes: 12,
    bySeverity: [0, 0, 0, 13, 0, 0, 0],
    acknowledged: 0,
  })
  expect(shifts.map(({ begins, ends, hours, alarms }) => [begins, ends, hours, alarms])).toEqual([
    ['06:00', '14:00', 8, 12],
    ['14:00', '22:00', 8, 0],
    ['22:00', '06:00', 8, 1],
  ])
  expect(course).toHaveLength(24)
  expect(course[6]).toMatchObject({ alarms: 12, mostInTenMinutes: 12 })
  expect([standing.count, stale.count]).toEqual([0, 0])
})

test('bad actors have what a change of their rule needs', async () => {
  const found = await ann.report({ query: asked })
  expect(found).toMatchObject({ sources: 1, chattering: 1, worstShare: 1 })
  expect(found.worst).toMatchObject([{ device: 'Oven', name: 'Oven too hot', count: 13, ruleId }])
  expect(found.rules).toMatchObject([
    {
      ruleId,
      count: 13,
      lastedMedianS: 5,
      lasted80S: 5,
      beyond90: 1.5,
      devices: [{ deviceId: oven, count: 13 }],
    },
  ])
  expect(found.rules[0]?.chattered).toBeGreaterThan(0)
  expect(found.devices).toMatchObject([{ device: 'Oven', count: 13, mostOften: 'Oven too hot' }])
})

test('with all below by choice; what stands for over a day is named', async () => {
  const { whole, standing, stale, rules } = await ann.report({ query: { ...asked, below: true } })
  expect(whole.alarms).toBe(14)
  expect(rules.map((one) => [one.ruleId, one.name])).toContainEqual([null, 'Jam'])
  expect(standing).toMatchObject({ count: 1, longest: [{ name: 'Door', since: start - 2 * day }] })
  expect(stale.count).toBe(1)
})

test('the time to acknowledge is that of people', async () => {
  const { data } = await ann.listAlarms({
    query: { organization: 'exor.*' },
    body: { search: 'Jam' },
  })
  const [jam] = data
  if (!jam) throw new Error('there is no alarm')
  server.member('ann', 'exor.south')
  await ann.acknowledge({ query: { organization: 'exor.south' }, body: { id: jam.id } })
  const { whole } = await ann.report({ query: { ...asked, below: true } })
  expect(whole.acknowledged).toBe(1)
  expect((whole.acknowledgeMedianS ?? 0) / (2 * 86_400)).toBeCloseTo(1, 1)
})

test('an alarm that comes again counts again, one of the future does not lower the rate', async () => {
  await server.report(
    reported('Jam', start + 1_000, { state: 1, changedAt: start + 5_000 }),
    reported('Again', start + 10_000, { state: 11 }),
    reported('Again', start + 10_000, { state: 9, changedAt: start + 11_000 }),
    reported('Again', start + 10_000, { state: 11, changedAt: start + 12_000 }),
  )
  const query = { from: start, to: start + 20 * day, below: true }
  const { whole, worst } = await ann.report({ query })
  expect(whole.hours).toBe(48)
  expect(worst.find(({ name }) => name === 'Again')?.count).toBe(2)
})

test('another organization, device group and path see nothing of it', async () => {
  const eve = server.member('eve', 'acme')
  expect((await eve.report({ query: asked })).whole.alarms).toBe(0)
  await expect(eve.report({ query: { ...asked, organization: 'exor' } })).rejects.toMatchObject({
    status: 404,
  })
  const mask = bitOf('read')
  const grouped = { grants: { alarms: mask }, deviceGroups: [{ groups: [2], mask }] }
  const gus = server.member('gus', 'exor', { capability: grouped })
  expect((await gus.report({ query: asked })).worst).toEqual([])
  const onPath = (path: string) =>
    reads({ paths: [{ mask, groups: null, read: [path], history: [], write: [] }] })
  const pat = server.member('pat', 'exor', { capability: onPath('Oven:1/other') })
  expect((await pat.report({ query: asked })).whole.alarms).toBe(0)
  const pia = server.member('pia', 'exor', { capability: onPath('Oven:1/temp') })
  expect((await pia.report({ query: asked })).whole.alarms).toBe(13)
})

test('without the right there is no report, and a bad question names its field', async () => {
  const poor = server.member('poor', 'exor', { capability: reads({ grants: { devices: 1 } }) })
  await expect(poor.report({ query: asked })).rejects.toMatchObject({ status: 403 })
  const cases: [object, string][] = [
    [{ to: start }, 'from'],
    [{ to: start + 401 * day }, 'to'],
    [{ zone: 'Mars/Base' }, 'zone'],
    [{ from: -1e18, to: -1e17 }, 'to'],
  ]
  for (const [more, field] of cases)
    await expect(ann.report({ query: { ...asked, ...more } })).rejects.toMatchObject({
      status: 400,
      code: 'alarms.bad_report',
      details: { field },
    })
  for (const shifts of ['6', '25:00', ''])
    await expect(ann.report({ query: { ...asked, shifts } })).rejects.toMatchObject({
      status: 400,
    })
})
