import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdLock, holdLocks, shareLock } from './locks.ts'
import { testDatabase } from './test-database.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

/** Transaction that holds a lock until `end` is called. */
async function holding(name: string, ...keys: string[]) {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  const transaction = database.db.transaction().execute(async (tx) => {
    await holdLock(tx, name, ...keys)
    hold()
    await ended
  })
  await held
  return { end: () => (end(), transaction) }
}

const waiting = async () => {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted`,
  )
  return rows[0]?.count
}

test('a second transaction waits for the lock, others with another name or key do not', async () => {
  const first = await holding('core.thing', 'a', 'b')
  await (await holding('core.thing', 'a b')).end()
  await (await holding('core.other', 'a', 'b')).end()
  const second = holding('core.thing', 'a', 'b')
  await expect.poll(waiting).toBe(1)
  await first.end()
  await (await second).end()
})

test('transactions share a lock, and one that holds it alone waits for all of them', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const share = (until: Promise<void>) =>
    database.db.transaction().execute(async (tx) => {
      await shareLock(tx, 'core.shared', 'a')
      await until
    })
  const first = share(ended)
  await share(Promise.resolve())
  const alone = holding('core.shared', 'a')
  await expect.poll(waiting).toBe(1)
  end()
  await first
  await (await alone).end()
})

test('many locks are held in one order, and each is the one that its key has alone', async () => {
  const keys = Array.from({ length: 50 }, (_, at) => `key ${at}`)
  const hold = (some: readonly string[]) =>
    database.db.transaction().execute(async (tx) => void (await holdLocks(tx, 'core.many', some)))
  await Promise.all([hold(keys), hold(keys.toReversed()), hold(keys), hold(keys.toReversed())])
  const one = await holding('core.many', 'key 7')
  const all = hold(keys)
  await expect.poll(waiting).toBe(1)
  await one.end()
  await all
})
