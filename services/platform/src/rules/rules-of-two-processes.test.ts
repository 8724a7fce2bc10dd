import { afterAll, beforeAll, test } from 'vitest'
import { testPlatform, type TestPlatform } from '../platform-testing.ts'
import {
  connected,
  expectChanges,
  killProcess,
  pairedDevice,
  ruleFor,
  saveRule,
} from './rule-testing.ts'

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

test('a delay that was under way when its process ended is over at its time', async () => {
  const other = await anotherProcess()
  const paired = await pairedDevice(first)
  await saveRule(first, ruleFor(paired.id, { onDelayMs: 3_000 }))
  const { id, client, send } = await connected(other, paired)
  const start = Date.now()
  await send(60, start)
  await client.endAsync(true)
  await others.pop()?.close()
  await expectChanges(first, id, [`raise ${start + 3_000}`])
})

test('a device that goes to another process is judged there, and its alarm is raised and ended once', async () => {
  const other = await anotherProcess()
  const paired = await pairedDevice(first)
  await saveRule(first, ruleFor(paired.id))
  const start = Date.now() - 10_000
  const here = await connected(first, paired)
  await here.send(60, start)
  await expectChanges(first, paired.id, [`raise ${start}`])
  const there = await connected(other, paired)
  await there.send(70, start + 1_000)
  await there.send(20, start + 2_000)
  await expectChanges(first, paired.id, [`raise ${start}`, `return ${start + 2_000}`])
  await there.client.endAsync(true)
  const back = await connected(first, paired)
  await back.send(80, start + 3_000)
  await expectChanges(first, paired.id, [
    `raise ${start}`,
    `return ${start + 2_000}`,
    `raise ${start + 3_000}`,
  ])
})

test('values that were durable and not judged when their process was killed are judged by another', async () => {
  const other = await anotherProcess()
  const paired = await pairedDevice(first)
  await saveRule(first, ruleFor(paired.id))
  const { id, client, send } = await connected(other, paired)
  const start = Date.now() - 60_000
  await send(60, start)
  await send(20, start + 20_000)
  await expectChanges(first, id, [`raise ${start}`, `return ${start + 20_000}`])
  const lock = await first.database.pool.connect()
  try {
    await lock.query('begin')
    await lock.query('select from platform.rule_device where device_id = $1 for update', [id])
    // In order, then one that is late, and one that is very late.
    for (const [v, t] of [
      [70, 30_000],
      [20, 40_000],
      [20, 36_000],
      [20, 10_000],
    ]) {
      await send(v ?? 0, start + (t ?? 0))
    }
    await killProcess(first, other)
    others.pop()
  } finally {
    await lock.query('rollback')
    lock.release()
  }
  client.end(true)
  await expectChanges(first, id, [
    `raise ${start}`,
    `return ${start + 10_000}`,
    `raise ${start + 30_000}`,
    `return ${start + 36_000}`,
  ])
})
