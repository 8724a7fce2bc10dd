import { afterAll, beforeAll, expect, test } from 'vitest'
import { testPlatform, type TestPlatform } from '../platform-testing.ts'
import { connected, killProcess, org, pairedDevice } from './rule-testing.ts'

/** A process that is there all the time: its database is that of the others. */
let first: TestPlatform
const others: TestPlatform[] = []
beforeAll(async () => {
  first = await testPlatform({ graceMs: 50 })
})
afterAll(async () => {
  for (const one of others.splice(0).toReversed()) await one.close()
  await first.close()
})

async function anotherProcess() {
  const other = await testPlatform({ graceMs: 50 }, undefined, undefined, first)
  others.push(other)
  return other
}

let group = 500
/** A device with a trigger of its own. */
async function deviceWith(more: object = {}) {
  group += 1
  const paired = await pairedDevice(first, { groups: [group] })
  const policy = { type: 'ANALOG_BAND', modelPathMatcher: 'Probe:1/temperature', min: 50, ...more }
  const deviceGroups = [String(group)]
  const id = await first.triggers.save(first.database.db, org, policy, { deviceGroups })
  return { paired, id }
}
const timesOf = (id: string) =>
  first.triggers.fired.filter(({ triggerId }) => triggerId === id).map(({ t }) => t)
const expectTimes = async (id: string, times: number[]) => {
  await expect.poll(() => timesOf(id), { timeout: 30_000 }).toEqual(times)
}

test('[R-23] a time that was under way when its process ended fires once, when it is over', async () => {
  const other = await anotherProcess()
  const { paired, id } = await deviceWith({ time: 3_000 })
  const { client, send } = await connected(other, paired)
  const start = Date.now()
  await send(60, start)
  await client.endAsync(true)
  await others.pop()?.close()
  await expectTimes(id, [start + 3_000])
})

test('[R-23] a device that goes from one process to another fires once for each edge', async () => {
  const other = await anotherProcess()
  const { paired, id } = await deviceWith()
  const start = Date.now() - 10_000
  const here = await connected(first, paired)
  await here.send(60, start)
  await expectTimes(id, [start])
  const there = await connected(other, paired)
  await there.send(70, start + 1_000)
  await there.send(20, start + 2_000)
  await there.send(80, start + 3_000)
  await expectTimes(id, [start, start + 3_000])
  await there.client.endAsync(true)
})

test('[R-23] a firing whose process was killed before it judged the value is told by another', async () => {
  const other = await anotherProcess()
  const { paired, id } = await deviceWith()
  const { client, send } = await connected(other, paired)
  const start = Date.now() - 60_000
  await send(60, start)
  await send(20, start + 20_000)
  await expectTimes(id, [start])
  const lock = await first.database.pool.connect()
  try {
    await lock.query('begin')
    await lock.query('select from platform.rule_device where device_id = $1 for update', [
      paired.id,
    ])
    await send(70, start + 30_000)
    await killProcess(first, other)
    others.pop()
  } finally {
    await lock.query('rollback')
    lock.release()
  }
  client.end(true)
  await expect.poll(() => timesOf(id), { timeout: 30_000 }).toContain(start + 30_000)
})
