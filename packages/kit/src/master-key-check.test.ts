import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBus } from './events.ts'
import { requireMasterKey, WrongMasterKey } from './master-key-check.ts'
import { createSecrets } from './secrets.ts'
import { testDatabase } from './test-database.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  database = await testDatabase()
  await createBus(database.db)
})
afterAll(() => database.close())

const key = (byte: number) => createSecrets(Buffer.alloc(32, byte))

test('a database takes the first key and refuses another one', async () => {
  await requireMasterKey(database.db, key(1))
  await requireMasterKey(database.db, key(1))
  await expect(requireMasterKey(database.db, key(2))).rejects.toThrow(WrongMasterKey)
  const { rows } = await sql`select id, key_fingerprint from bus.instance`.execute(database.db)
  expect(rows).toHaveLength(1)
  // Nobody learns the key from what is kept of it.
  expect(JSON.stringify(rows)).not.toContain(Buffer.alloc(32, 1).toString('hex'))
})
