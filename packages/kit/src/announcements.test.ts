import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { busChannel } from './announcements.ts'
import { createBus, publish, publishAll } from './events.ts'
import { announceAfterCommit } from './publishing-dialect.ts'
import { testDatabase } from './test-database.ts'

const payload = z.object({ id: z.int() })
const raised = { topic: 'alarms.raised', payload } as const
const undone = { topic: 'alarms.undone', payload } as const
const later = { topic: 'alarms.later', payload } as const
let database: Awaited<ReturnType<typeof testDatabase>>
let stopListening: () => void
const told: string[] = []
beforeAll(async () => {
  database = await testDatabase()
  await createBus(database.db)
  const listener = await database.pool.connect()
  listener.on('notification', (news) => told.push(news.payload ?? ''))
  await listener.query(`listen ${busChannel}`)
  stopListening = () => listener.release(true)
})
beforeEach(() => void told.splice(0))
afterAll(async () => {
  stopListening()
  await database.close()
})

test('a topic is announced when its transaction has committed, once for all its events', async () => {
  const { promise: published, resolve: isPublished } = Promise.withResolvers<void>()
  const { promise: go, resolve: letGo } = Promise.withResolvers<void>()
  const slow = database.db.transaction().execute(async (tx) => {
    await publish(tx, raised, { id: 1 })
    await publishAll(tx, raised, [{ id: 2 }, { id: 3 }])
    isPublished()
    await go
  })
  await published
  await publish(database.db, later, { id: 4 })
  await expect.poll(() => told).toEqual(['alarms.later'])
  letGo()
  await slow
  await expect.poll(() => told).toEqual(['alarms.later', 'alarms.raised'])
})

test('what is rolled back is not announced, neither then nor by the next transaction', async () => {
  const undo = database.db.transaction().execute(async (tx) => {
    await publish(tx, undone, { id: 1 })
    throw new Error('no')
  })
  await expect(undo).rejects.toThrow('no')
  const open = await database.db.startTransaction().execute()
  await publish(open, undone, { id: 2 })
  await open.rollback().execute()
  // As many as there are connections, so that those of above are used again.
  const ids = Array.from({ length: 10 }, (_, id) => id)
  await Promise.all(
    ids.map((id) => database.db.transaction().execute((tx) => publish(tx, raised, { id }))),
  )
  await database.db.transaction().execute((tx) => announceAfterCommit(tx, 'job.waiting'))
  await expect.poll(() => told).toContain('job.waiting')
  expect(new Set(told)).toEqual(new Set(['alarms.raised', 'job.waiting']))
})

test('what was published last is announced before the connections are closed', async () => {
  const other = await testDatabase()
  await createBus(other.db)
  const listener = await other.pool.connect()
  const heard: string[] = []
  listener.on('notification', (news) => heard.push(news.payload ?? ''))
  await listener.query(`listen ${busChannel}`)
  for (const event of [raised, later]) await publish(other.db, event, { id: 1 })
  const closing = other.close()
  await expect.poll(() => heard).toEqual(['alarms.raised', 'alarms.later'])
  listener.release()
  await closing
})
