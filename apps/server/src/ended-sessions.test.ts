import { identityContract } from '@longreach/identity/contract'
import type { Pool } from 'pg'
import { expect, test } from 'vitest'
import { endedSessions } from './ended-sessions.ts'

test('a look that began earlier and ends later does not bring a session back to life (attack 19)', async () => {
  const answers: PromiseWithResolvers<{ rows: { session: string }[] }>[] = []
  const pool = {
    query: () => {
      const answer = Promise.withResolvers<{ rows: { session: string }[] }>()
      answers.push(answer)
      return answer.promise
    },
  } as unknown as Pool // a database that answers when it is told to
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
