import { identityContract } from '@longreach/identity/contract'
import { createBus, publish } from '@longreach/kit/events'
import { testDatabase } from '@longreach/kit/test-database'
import { expect, test } from 'vitest'
import { endedSessions, recentlyEnded } from './ended-sessions.ts'

test('a session that ends is known at once, and after a start', async () => {
  const { db, close } = await testDatabase()
  await createBus(db)
  const problems: unknown[] = []
  const running = endedSessions(recentlyEnded(db), (error) => problems.push(error))
  await running.read()
  expect(running.has('s1')).toBe(false)
  const { sessionEnded } = identityContract.events
  await db.transaction().execute((tx) => publish(tx, sessionEnded, { session: 's1', sub: 'u1' }))
  running.hear(sessionEnded.topic)
  await expect.poll(() => running.has('s1')).toBe(true)
  const started = endedSessions(recentlyEnded(db), (error) => problems.push(error))
  await started.read()
  expect(started.has('s1')).toBe(true)
  expect(problems).toEqual([])
  await close()
})

test('a look that began earlier and ends later does not bring a session back to life (attack 19)', async () => {
  const answers: PromiseWithResolvers<{ session: string }[]>[] = []
  const readEnded = () => {
    const answer = Promise.withResolvers<{ session: string }[]>()
    answers.push(answer)
    return answer.promise
  }
  const ended = endedSessions(readEnded, () => undefined)
  const early = ended.read()
  const late = ended.read()
  answers[1]!.resolve([{ session: 'of-anna' }])
  await late
  expect(ended.has('of-anna')).toBe(true)
  answers[0]!.resolve([])
  await early
  expect(ended.has('of-anna')).toBe(true)
  ended.hear(identityContract.events.sessionEnded.topic)
  expect(answers).toHaveLength(3)
})
