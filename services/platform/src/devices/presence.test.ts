import { migrated } from '@longreach/kit/database'
import { createBus } from '@longreach/kit/events'
import { testDatabase } from '@longreach/kit/test-database'
import Fastify from 'fastify'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDeviceId } from '../platform-testing.ts'
import {
  type Change,
  connectionHistory,
  type PlatformDb,
  saveDevice,
} from './device-state-store.ts'
import { createPresence } from './presence.ts'

const minute = 60_000
const [oven, press] = [newDeviceId(), newDeviceId()]
const begun = Date.UTC(2026, 10, 21, 12)
let clock = begun
let database: Awaited<ReturnType<typeof testDatabase>>
let db: Kysely<PlatformDb>

beforeAll(async () => {
  database = await testDatabase()
  await createBus(database.db)
  db = await migrated(database.db, 'platform', new URL('../migrations/', import.meta.url))
  for (const id of [oven, press]) {
    const facts = { id, org: 'exor', realm: 'exor', label: id, groups: [] }
    await saveDevice(db, facts, new Date(clock))
  }
})
afterAll(() => database.close())

/** A server that starts now, with what it tells. */
async function started() {
  const told: Change[] = []
  const log = Fastify({ logger: { level: 'silent' } }).log
  const now = () => new Date(clock)
  const onChange = (change: Change) => void told.push(change)
  const presence = createPresence({ db, now, log, graceMs: minute, onChange })
  await presence.wakeUp()
  return { presence, told }
}
const linesOf = async (device: string) =>
  (await connectionHistory(db, device, { since: undefined, to: undefined, limit: 10 })).map(
    ({ at, connected }) => [(at.getTime() - begun) / minute, connected],
  )

test('while no server is there no device counts as connected, but a restart changes nothing [C-21]', async () => {
  const first = await started()
  first.presence.came(oven, '10.0.0.1')
  first.presence.came(press, '10.0.0.2')
  clock += 10 * minute
  await first.presence.close()

  clock += minute
  const restarted = await started()
  restarted.presence.came(oven, '10.0.0.1')
  restarted.presence.came(press, '10.0.0.2')
  clock += 5 * minute
  await restarted.presence.stillThere()
  await restarted.presence.close()
  clock += 40 * minute
  const later = await started()
  const gone = later.told.filter(({ connected }) => !connected).map(({ deviceId }) => deviceId)
  expect(new Set(gone)).toEqual(new Set([oven, press]))
  later.presence.came(oven, '10.0.0.1')
  await later.presence.close()

  expect(await linesOf(oven)).toEqual([
    [0, true],
    [16, false],
    [56, true],
  ])
  expect(await linesOf(press)).toEqual([
    [0, true],
    [16, false],
  ])
})
