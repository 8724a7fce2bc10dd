import { migrated } from '@longreach/kit/database'
import { testDatabase } from '@longreach/kit/test-database'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServiceDb } from '../database.ts'
import { findState, saveDevice, saveIntrospection } from './device-state-store.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let db: Kysely<ServiceDb>

beforeAll(async () => {
  database = await testDatabase()
  db = await migrated(database.db, 'platform', new URL('../migrations/', import.meta.url))
})
afterAll(() => database.close())

const oven = { id: 'oven', org: 'exor', realm: 'exor', label: 'Oven', groups: [1, 2] }
const now = new Date('2026-11-26T10:00:00Z')

/** Number of the transaction that wrote the device's row. */
async function writtenBy() {
  const { rows } = await sql<{ xmin: string }>`
    select xmin::text from platform.device_state where device_id = ${oven.id}`.execute(db)
  return rows[0]?.xmin
}

test('a device that connects as it was before is not written again', async () => {
  await saveDevice(db, oven, now)
  await saveIntrospection(db, oven.id, 'a:1:0')
  const written = await writtenBy()
  await saveDevice(db, oven, new Date())
  await saveIntrospection(db, oven.id, 'a:1:0')
  expect(await writtenBy()).toBe(written)
})

test('what has changed of a device is written', async () => {
  await saveDevice(db, oven, now)
  await saveDevice(db, { ...oven, label: 'Kiln', groups: [1] }, new Date())
  await saveIntrospection(db, oven.id, 'a:2:0')
  expect(await findState(db, oven.id)).toMatchObject({
    label: 'Kiln',
    groups: [1],
    introspection: 'a:2:0',
    registered_at: now,
  })
})
