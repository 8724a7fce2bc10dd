import { expect, test } from 'vitest'
import { startRounds } from './rounds.ts'

test('a round begins at once and again, never two at a time, and goes on after one that failed', async () => {
  let under = 0
  let most = 0
  let rounds = 0
  const told: unknown[] = []
  const running = startRounds(
    1,
    async () => {
      rounds++
      most = Math.max(most, ++under)
      await new Promise((resolve) => setImmediate(resolve))
      under--
      if (rounds === 2) throw new Error('no room')
    },
    (error) => told.push(error),
  )
  await expect.poll(() => rounds).toBeGreaterThan(4)
  await running.close()
  expect({ most, under, told: told.length }).toEqual({ most: 1, under: 0, told: 1 })
})
