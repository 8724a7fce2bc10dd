import type { Pool } from 'pg'
import { identityContract } from '@longreach/identity/contract'
import { createBus, publish } from '@longreach/kit/events'
import { testDatabase } from '@longreach/kit/test-database'
import { expect, test } from 'vitest'
import { endedSessions } from './ended-sessions.ts'

test('a session that ends is known at once, and after a start', async () => {
  const { db, pool, close } = await testDatabase()
  await createBus(db)
  const problems: unknown[] = []
  const running = endedSessions(pool, (error) => problems.push(error))
  await running.read()
  expect(running.has('s1')).toBe(false)
  const { sessionEnded } = identityContract.events
  await db.transaction().execute((tx) => publish(tx, sessionEnded, { session: 's1', sub: 'u1' }))
  running.hear(sessionEnded.topic)
  await expect.poll(() => running.has('s1')).toBe(true)
  const started = endedSessions(pool, (error) => problems.push(error))
  await started.read()
  expect(started.has('s1')).toBe(true)
  expect(problems).toEqual([])
  await close()
})

test('a look that began earlier and ends later does not bring a session back to life (attack 19)', async () => {
  const answers: PromiseWithResolvers<{ rows: { session: string }[] }>[] = []
  const pool = {
    query: () => {
      const answer = Promise.withResolvers<{ rows: { session: string }[] }>()
      answers.push(answer)
      return answer.promise
    },
  } as unknown as Pool // a database that answers on demand
  const ended = endedSessions(pool, () => undefined)
  const early = ended.read()
  const late = ended.read()
  answers[1]!.resolve({ rows: [{ session: 'of-anna' }] })
  await late
  expect(ended.has('of-anna')).toBe(true)
  answers[0]!.resolve({ rows: [] })
  await early
  expect(ended.has('of-anna')).toBe(true)
  ended.hear(identityContract.events.sessionEnded.topic)
  expect(answers).toHaveLength(3)
})
