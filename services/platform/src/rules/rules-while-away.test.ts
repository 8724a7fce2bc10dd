import { afterAll, beforeAll, expect, test } from 'vitest'
import { testPlatform, type TestPlatform, until } from '../platform-testing.ts'
import {
  changesOf,
  connected,
  expectChanges,
  org,
  pairedDevice,
  ruleFor,
  saveRule,
} from './rule-testing.ts'

const [hour, day] = [3_600_000, 86_400_000]

/** Process that is there all the time, with a clock that a test may set ahead. */
let first: TestPlatform
let aheadMs = 0
beforeAll(async () => {
  first = await testPlatform({ graceMs: 50 }, () => new Date(Date.now() + aheadMs))
})
afterAll(() => first.close())

const silent = (deviceId: string) => ({
  ...ruleFor(deviceId),
  name: 'Silent',
  kind: 'silence',
  when: { path: 'Probe:1/temperature', forMs: 5_000 },
})

const rowOf = async (id: string) => {
  const { rows } = await first.database.pool.query<{ due: Date | null; node: number | null }>(
    'select due_at as due, node from platform.rule_device where device_id = $1',
    [id],
  )
  return rows[0]
}

test('a platform that was away for an hour raises no alarm for its own absence, and silence afterwards [E-15]', async () => {
  const other = await testPlatform({ graceMs: 50 }, undefined, undefined, first)
  const paired = await pairedDevice(first)
  const rule = await saveRule(first, silent(paired.id))
  const { id, client, send } = await connected(other, paired)
  await send(20, Date.now())
  await until(async () => (await rowOf(id))?.due ?? undefined, 'the timer is written')
  await client.endAsync(true)
  await other.close()
  expect(changesOf(first, id, rule)).toEqual([])
  aheadMs = hour
  try {
    const back = Date.now() + aheadMs
    await first.database.pool.query(
      'update platform.rule_device set due_at = clock_timestamp() where device_id = $1',
      [id],
    )
    await expect.poll(() => changesOf(first, id, rule), { timeout: 30_000 }).toHaveLength(1)
    const [raise = ''] = changesOf(first, id, rule)
    expect(raise).toMatch(/^raise /)
    expect(Number(raise.split(' ')[1])).toBeGreaterThanOrEqual(back + 5_000)
  } finally {
    aheadMs = 0
  }
})

test('a device that is offline is judged when it is in service again, also after the end of its process', async () => {
  const other = await testPlatform({ graceMs: 50 }, undefined, undefined, first)
  const paired = await pairedDevice(first)
  const { id, client, send } = await connected(other, paired)
  const start = Date.now()
  await send(60, start)
  const outOfServiceUntil = Date.now() + 8_000
  const out = { levels: [], reason: 'repair', outOfServiceUntil }
  const rule = await saveRule(first, ruleFor(id), { overrides: { [id]: out } })
  await until(async () => (await rowOf(id))?.due ?? undefined, 'the end is written')
  expect((await rowOf(id))?.due?.getTime()).toBe(outOfServiceUntil)
  await client.endAsync(true)
  await other.close()
  expect((await rowOf(id))?.node).toBeNull()
  expect(changesOf(first, id, rule)).toEqual([])
  await expect.poll(() => changesOf(first, id, rule), { timeout: 30_000 }).toHaveLength(1)
  expect(Date.now()).toBeGreaterThanOrEqual(outOfServiceUntil)
  expect(changesOf(first, id, rule)[0]).toMatch(/^raise /)
})

test('a value that is later than seven days is stored and judges nothing', async () => {
  const now = Date.now()
  const late = async (ms: number) => {
    const paired = await pairedDevice(first)
    await saveRule(first, ruleFor(paired.id))
    const { id, send } = await connected(first, paired)
    // More than the ring has room for, so that late ones are judged from the store.
    for (let at = 30; at > 1; at -= 1) await send(20, now - at * 1_000)
    await send(60, now - 1_000)
    await send(20, now)
    const known = [`raise ${now - 1_000}`, `return ${now}`]
    await expectChanges(first, id, known)
    await send(60, now - ms)
    await send(20, now - ms + 1_000)
    return { id, known }
  }
  const tooLate = await late(8 * day)
  const inTime = await late(6 * day)
  // Later than those of the other device, so these were looked at before.
  await expectChanges(first, inTime.id, [
    `raise ${now - 6 * day}`,
    `return ${now - 6 * day + 1_000}`,
    ...inTime.known,
  ])
  expect(changesOf(first, tooLate.id)).toEqual(tooLate.known)
  const [series] = await first.member('owner', org).tags({
    params: { org, deviceId: tooLate.id },
    query: { modelPath: 'Probe:1/temperature', since: now - 9 * day },
  })
  expect(series?.data).toHaveLength(33)
})

test('a schedule of a rule follows the time zone of each device, and is of UTC without one', async () => {
  // Fourteen hours ahead of UTC: a window of two hours around its present time is closed elsewhere.
  const zone = 'Pacific/Kiritimati'
  const wall = (ms: number) => new Date(Date.now() + 14 * hour + ms).toISOString().slice(11, 16)
  const times = [{ days: [0, 1, 2, 3, 4, 5, 6], from: wall(-hour), to: wall(hour) }]
  const schedule = { zone: 'device', times, exceptDates: [] }
  const judge = async (attributes: Record<string, unknown>) => {
    const paired = await pairedDevice(first, { attributes })
    await saveRule(first, ruleFor(paired.id, { schedule }))
    const { id, send } = await connected(first, paired)
    const t = Date.now()
    await send(60, t)
    return { id, t }
  }
  const elsewhere = await judge({})
  const strange = await judge({ timezone: 'Mars/Olympus' })
  const there = await judge({ timezone: zone })
  await expectChanges(first, there.id, [`raise ${there.t}`])
  for (const { id } of [elsewhere, strange]) expect(changesOf(first, id)).toEqual([])
})
