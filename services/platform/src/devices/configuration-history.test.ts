import { migrated } from '@longreach/kit/database'
import { testDatabase } from '@longreach/kit/test-database'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServiceDb } from '../database.ts'
import { configurationsOf, noteConfiguration } from './configuration-history.ts'
import { newDevice } from './device.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let db: Kysely<ServiceDb>

beforeAll(async () => {
  database = await testDatabase()
  db = await migrated(database.db, 'platform', new URL('../migrations/', import.meta.url))
})
afterAll(() => database.close())

const at = new Date('2026-11-26T10:00:00Z')
const status = { sent: true, applied: false, error: null }
const deviceOf = (id: string) => ({ ...newDevice(id), org: 'exor', configurationText: '{"a":1}' })
const note = (tx: Kysely<ServiceDb>, id: string) =>
  noteConfiguration(tx, deviceOf(id), { status, at })

test('devices that are sent the same text do not wait for each other', async () => {
  await db.transaction().execute((tx) => note(tx, 'first'))
  await db.transaction().execute(async (tx) => {
    await note(tx, 'second')
    await db.transaction().execute((other) => note(other, 'third'))
  })
  for (const id of ['first', 'second', 'third'])
    expect(await configurationsOf(db, deviceOf(id))).toMatchObject([{ version: 1, sent_at: at }])
})
