import { afterAll, beforeAll, expect, test } from 'vitest'
import { testPlatform, type TestPlatform } from '../platform-testing.ts'
import {
  changesOf,
  connected,
  pairedDevice,
  publishedOf,
  ruleFor,
  saveRule,
  expectChanges,
} from './rule-testing.ts'

let platform: TestPlatform
beforeAll(async () => {
  platform = await testPlatform({ graceMs: 50 })
})
afterAll(() => platform.close())

const hourMs = 3_600_000
const deviceWith = async (...rules: Record<string, unknown>[]) => {
  const paired = await pairedDevice(platform)
  const ids = []
  for (const rule of rules) ids.push(await saveRule(platform, ruleFor(paired.id, rule)))
  return { ids, paired, ...(await connected(platform, paired)) }
}

test('a value beyond a limit raises an alarm at its own time, and one below ends it', async () => {
  const { id, ids, send } = await deviceWith({})
  const start = Date.now() - 3_000
  await send(20, start)
  await send(60, start + 1_000)
  await send(70, start + 1_500)
  await send(30, start + 2_000)
  await expectChanges(platform, id, [`raise ${start + 1_000}`, `return ${start + 2_000}`])
  expect(publishedOf(platform, id)[0]).toMatchObject({
    ruleId: ids[0],
    ruleVersion: 1,
    instance: '',
    changes: [{ kind: 'raise', severity: 5, words: { value: 60, limit: 50 } }],
  })
})

test('values that came before the rules were loaded are judged too', async () => {
  const paired = await pairedDevice(platform)
  platform.alarms.answers.waits = Promise.withResolvers()
  await saveRule(platform, ruleFor(paired.id))
  const { id, send } = await connected(platform, paired)
  const start = Date.now() - 3_000
  await send(60, start)
  await send(20, start + 1_000)
  platform.alarms.answers.waits.resolve()
  platform.alarms.answers.waits = undefined
  await expectChanges(platform, id, [`raise ${start}`, `return ${start + 1_000}`])
})

test('a delay ends without a further value, at the time at which it was due', async () => {
  const { id, send } = await deviceWith({ onDelayMs: 1_500 })
  const start = Date.now()
  await send(60, start)
  await expectChanges(platform, id, [`raise ${start + 1_500}`])
})

test('a late value within five seconds is judged at its place', async () => {
  const { id, send } = await deviceWith({})
  const start = Date.now() - 10_000
  await send(60, start)
  const first = `raise ${start}`
  await expectChanges(platform, id, [first])
  await send(20, start + 500)
  await send(60, start + 2_000)
  // Each is judged before the next comes: values that wait together are put in order.
  const judged = [first, `return ${start + 500}`]
  await expectChanges(platform, id, [...judged, `raise ${start + 2_000}`])
  await send(60, start + 1_000)
  await expectChanges(platform, id, [...judged, `raise ${start + 1_000}`])
  expect(publishedOf(platform, id).at(-1)?.again).toBeDefined()
})

test('a value that is hours late is judged from the store, with others of its time', async () => {
  const { id, send } = await deviceWith({ onDelayMs: 60_000 })
  const start = Date.now() - 3 * hourMs
  await send(20, start)
  await send(20, start + hourMs)
  await send(20, start + 2 * hourMs)
  expect(changesOf(platform, id)).toEqual([])
  await send(60, start + 60_000)
  await send(60, start + 70_000)
  await send(20, start + 200_000)
  await expectChanges(platform, id, [`raise ${start + 120_000}`, `return ${start + 200_000}`])
})

test('a late value in a dead-band is judged by what the values before have left', async () => {
  const when = { path: 'Probe:1/temperature', op: '>', value: 50, clear: 40 }
  const { id, send } = await deviceWith({ when, chatter: { max: 0, withinMs: 0 } })
  const start = Date.now() - 10 * hourMs
  await send(60, start)
  for (let hour = 1; hour < 8; hour += 1) await send(45, start + hour * hourMs)
  await send(30, start + 9 * hourMs)
  await expectChanges(platform, id, [`raise ${start}`, `return ${start + 9 * hourMs}`])
  await send(35, start + 3 * hourMs + 1)
  await expectChanges(platform, id, [`raise ${start}`, `return ${start + 3 * hourMs + 1}`])
})

test('a value from tomorrow waits and changes nothing for others', async () => {
  const { id, send } = await deviceWith({})
  const start = Date.now() - 2_000
  await send(60, Date.now() + 20 * hourMs)
  await send(20, start)
  await send(60, start + 1_000)
  await expectChanges(platform, id, [`raise ${start + 1_000}`])
})

test('a device that says nothing is silent from its last value on, and not before', async () => {
  const silence = { kind: 'silence', when: { forMs: 1_000 } }
  const { id, send } = await deviceWith(silence)
  await send(20, Date.now())
  const before = Date.now()
  await expectKinds(id, ['raise'])
  await send(20, Date.now())
  await expectKinds(id, ['raise', 'return', 'raise'])
  expect(Number(changesOf(platform, id)[0]?.split(' ')[1])).toBeGreaterThan(before)
})

test('a lost connection raises at the time of the loss, after the grace time', async () => {
  const { id, client } = await deviceWith({ kind: 'connection', when: { status: 'OFF' } })
  await client.endAsync(true)
  await expectKinds(id, ['raise'])
})

test('an alarm that another one hides is suppressed', async () => {
  const paired = await pairedDevice(platform)
  const door = { path: 'Probe:1/door', op: '>', value: 0 }
  const open = await saveRule(platform, ruleFor(paired.id, { name: 'Door', when: door }))
  const hot = await saveRule(platform, ruleFor(paired.id, { unless: { rule: open } }))
  const { id, send } = await connected(platform, paired)
  const start = Date.now() - 5_000
  await send(1, start, 'door')
  await send(60, start + 1_000)
  await send(0, start + 2_000, 'door')
  await expectChanges(platform, id, [`raise ${start}`, `return ${start + 2_000}`], open)
  await expectChanges(platform, id, [`suppressed ${start + 1_000}`, `raise ${start + 2_000}`], hot)
})

test('a rule that cannot be compiled stops neither values nor other rules', async () => {
  const { id, ids, send } = await deviceWith({ when: { formula: '((', op: '>', value: 1 } }, {})
  const start = Date.now() - 1_000
  await send(60, start)
  await expectChanges(platform, id, [`raise ${start}`], ids[1])
})

test('a changed limit ends an alarm that no longer holds as changed rule, and keeps one that does', async () => {
  const { id, ids, send, paired } = await deviceWith({})
  const [ruleId = ''] = ids
  const start = Date.now() - 1_000
  await send(60, start)
  await expectChanges(platform, id, [`raise ${start}`])
  const when = { path: 'Probe:1/temperature', op: '>', value: 55 }
  await saveRule(platform, ruleFor(paired.id, { when }), { id: ruleId })
  await saveRule(platform, ruleFor(paired.id, { when: { ...when, value: 70 } }), { id: ruleId })
  await expectKinds(id, ['raise', 'return'])
  expect(publishedOf(platform, id).at(-1)).toMatchObject({
    ruleVersion: 3,
    changes: [{ kind: 'return', reason: 'rule_changed' }],
  })
})

test('a deleted rule ends its alarm, and a new one is judged by the newest value', async () => {
  const { id, ids, send } = await deviceWith({})
  const start = Date.now() - 1_000
  await send(60, start)
  await expectChanges(platform, id, [`raise ${start}`])
  await platform.alarms.remove(platform.database.db, ids[0] ?? '')
  await expectKinds(id, ['raise', 'return'])
  const again = await saveRule(platform, ruleFor(id))
  await expectChanges(platform, id, [`raise ${start}`], again)
})

test('a rule is judged with the limits of its device, and not while it is out of service', async () => {
  const paired = await pairedDevice(platform)
  const higher = { levels: [{ value: 80 }], reason: '' }
  const id = await saveRule(platform, ruleFor(paired.id), { overrides: { [paired.id]: higher } })
  const out = { levels: [], reason: 'repair', outOfServiceUntil: Date.now() + hourMs }
  const away = await saveRule(platform, ruleFor(paired.id), { overrides: { [paired.id]: out } })
  const { send } = await connected(platform, paired)
  const start = Date.now() - 3_000
  await send(60, start)
  await send(90, start + 1_000)
  await expectChanges(platform, paired.id, [`raise ${start + 1_000}`], id)
  expect(publishedOf(platform, paired.id, away)).toEqual([])
})

test('a device that is in service again is judged by itself, from its newest value', async () => {
  const paired = await pairedDevice(platform)
  const { send } = await connected(platform, paired)
  const start = Date.now() - 3_000
  await send(60, start)
  const out = { levels: [], reason: 'repair', outOfServiceUntil: Date.now() + 1_500 }
  const id = await saveRule(platform, ruleFor(paired.id), { overrides: { [paired.id]: out } })
  await expect
    .poll(() => changesOf(platform, paired.id, id))
    .toEqual([expect.stringMatching(/^raise /)])
})

test('a rule of device groups judges devices of these groups only', async () => {
  const inside = await pairedDevice(platform, { groups: [7] })
  const outside = await pairedDevice(platform, { groups: [8] })
  const rule = { ...ruleFor(inside.id), scope: { model: 'Probe:1' }, deviceGroups: ['7'] }
  const ruleId = await saveRule(platform, rule)
  const start = Date.now() - 1_000
  for (const one of [outside, inside]) await (await connected(platform, one)).send(60, start)
  await expectChanges(platform, inside.id, [`raise ${start}`], ruleId)
  expect(publishedOf(platform, outside.id)).toEqual([])
  await platform.alarms.remove(platform.database.db, ruleId)
})

test('values of the past that are inserted are judged when that is asked for', async () => {
  const { id, send } = await deviceWith({})
  const start = Date.now() - 2 * hourMs
  await send(20, start)
  await send(20, start + hourMs)
  const owner = platform.member('owner', 'exor')
  const insert = (t: number, alarms: boolean) =>
    owner.bulkInsertTags({
      params: { org: 'exor' },
      query: { alarms },
      body: [{ deviceId: id, modelPath: 'Probe:1/temperature', data: [[t, 60]] }],
    })
  await insert(start + 1_800_000, false)
  await send(60, start + hourMs + 1_000)
  await expectChanges(platform, id, [`raise ${start + hourMs + 1_000}`])
  await insert(start + 1_900_000, true)
  await expectChanges(platform, id, [
    `raise ${start + 1_800_000}`,
    `return ${start + hourMs}`,
    `raise ${start + hourMs + 1_000}`,
  ])
})

const expectKinds = async (id: string, kinds: readonly string[]) => {
  await expect
    .poll(() => changesOf(platform, id).map((one) => one.split(' ')[0]), { timeout: 20_000 })
    .toEqual(kinds)
}
