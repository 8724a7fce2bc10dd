import { afterAll, beforeAll, expect, test } from 'vitest'
import { testPlatform, type TestPlatform } from '../platform-testing.ts'
import { connected, org, pairedDevice } from './rule-testing.ts'

let platform: TestPlatform
beforeAll(async () => {
  platform = await testPlatform({ graceMs: 50 })
})
afterAll(() => platform.close())

const path = 'Probe:1/temperature'
const patience = { timeout: 30_000 }
const timeMs = 3_000
let group = 700

/** A device with a trigger of its own, whose time is under way since a moment. */
async function waiting() {
  group += 1
  const paired = await pairedDevice(platform, { groups: [group] })
  const policy = { type: 'ANALOG_BAND', modelPathMatcher: path, min: 50, time: timeMs }
  const id = await platform.triggers.save(platform.database.db, org, policy, {
    deviceGroups: [String(group)],
  })
  const { send, client } = await connected(platform, paired)
  const start = Date.now()
  await send(20, start - 1_000)
  await send(60, start)
  return { id, deviceId: paired.id, due: start + timeMs, send, client, paired }
}
const timesOf = (id: string) =>
  platform.triggers.fired
    .filter(({ triggerId, kind }) => triggerId === id && kind === 'fired')
    .map(({ t }) => t)

/** Waits until the time of a device that began later is over: that of the others would be over too. */
async function afterWitness() {
  const witness = await waiting()
  await expect.poll(() => timesOf(witness.id), patience).toEqual([witness.due])
}

test('[R-23] a device that is moved, deleted or purged while a time is under way fires no more', async () => {
  const { database, register } = platform
  const [moved, deleted, purged] = [await waiting(), await waiting(), await waiting()]
  await register.move(database.db, moved.deviceId, 'exor.elsewhere')
  const restore = await register.trash(database.db, deleted.deviceId)
  await register.remove(database.db, purged.deviceId)
  await afterWitness()
  expect([moved, deleted, purged].flatMap(({ id }) => timesOf(id))).toEqual([])
  const kept = async (deviceId: string) => {
    const { rows } = await database.pool.query<{ n: number }>(
      'select count(*)::int as n from platform.rule_state where device_id = $1',
      [deviceId],
    )
    return rows[0]?.n
  }
  await expect.poll(() => kept(purged.deviceId), patience).toBe(0)

  await restore()
  const again = await connected(platform, deleted.paired)
  const start = Date.now()
  await again.send(20, start - 500)
  await again.send(70, start)
  await expect.poll(() => timesOf(deleted.id).at(-1), patience).toBe(start + timeMs)
})
