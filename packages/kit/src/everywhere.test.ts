import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createBus, deliver, on, publish } from './events.ts'
import { type Effect, everywhere, openEars } from './everywhere.ts'
import { testDatabase } from './test-database.ts'

const revoked = { topic: 'keys.revoked', payload: z.object({ key: z.string() }) } as const
const other = { topic: 'keys.other', payload: z.object({ key: z.string() }) } as const
let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  database = await testDatabase()
  await createBus(database.db)
})
afterAll(() => database.close())

const revoke = (...keys: string[]) =>
  database.db.transaction().execute(async (tx) => {
    for (const key of keys) await publish(tx, revoked, { key })
  })
const silent = () => undefined
const ears = (effects: readonly Effect[], failed = silent as (...of: unknown[]) => void) =>
  openEars({ db: database.db, effects, failed })

test('every process hears each event once, in order, also one that a consumer has taken', async () => {
  const seen: Record<string, string[]> = { one: [], two: [] }
  const processes = await Promise.all(
    Object.values(seen).map((list) =>
      ears([everywhere(revoked, ({ key }) => void list.push(key))]),
    ),
  )
  const keys = Array.from({ length: 250 }, (_, n) => String(n))
  await revoke(...keys)
  await deliver(database.db, 'keys', [on(revoked, async () => undefined)])
  for (const { hear } of processes) await Promise.all([hear(), hear()])
  expect(seen).toEqual({ one: keys, two: keys })
})

test('a process hears nothing from before its start', async () => {
  await revoke('before')
  const seen: string[] = []
  const { hear } = await ears([everywhere(revoked, ({ key }) => void seen.push(key))])
  await revoke('after')
  await hear()
  expect(seen).toEqual(['after'])
})

test('an event whose transaction ends late is not missed', async () => {
  const seen: string[] = []
  const { hear } = await ears([everywhere(revoked, ({ key }) => void seen.push(key))])
  const { promise: told, resolve: tell } = Promise.withResolvers<void>()
  const { promise: go, resolve: letGo } = Promise.withResolvers<void>()
  const slow = database.db.transaction().execute(async (tx) => {
    await publish(tx, revoked, { key: 'slow' })
    tell()
    await go
  })
  await told
  await revoke('quick')
  await hear()
  letGo()
  await slow
  await hear()
  expect(seen).toEqual(['quick', 'slow'])
})

test('an effect that fails is tried again before the events after it', async () => {
  const seen: string[] = []
  let isAway = true
  const { hear } = await ears([
    everywhere(revoked, ({ key }) => {
      if (isAway) throw new Error('mappings does not answer')
      seen.push(key)
    }),
  ])
  await revoke('one', 'two')
  await expect(hear()).rejects.toThrow('mappings does not answer')
  isAway = false
  await hear()
  expect(seen).toEqual(['one', 'two'])
})

test('an effect that always fails is given up, and said so, and the next event has its turn', async () => {
  const seen: string[] = []
  const failures: unknown[] = []
  const { hear } = await ears(
    [
      everywhere(revoked, ({ key }) => {
        if (key === 'broken') throw new Error('never')
        seen.push(key)
      }),
    ],
    (_, about) => failures.push(about),
  )
  await revoke('broken', 'next')
  for (let turn = 0; turn < 4; turn += 1) await expect(hear()).rejects.toThrow('never')
  await hear()
  expect(seen).toEqual(['next'])
  expect(failures).toEqual([
    ...Array.from({ length: 4 }, () => ({ topic: 'keys.revoked', givenUp: false })),
    { topic: 'keys.revoked', givenUp: true },
  ])
})

test('topics that nobody names are not read', async () => {
  const seen: string[] = []
  const { hear, topics } = await ears([everywhere(revoked, ({ key }) => void seen.push(key))])
  await database.db.transaction().execute((tx) => publish(tx, other, { key: 'x' }))
  await hear()
  expect(seen).toEqual([])
  expect([...topics]).toEqual(['keys.revoked'])
})
