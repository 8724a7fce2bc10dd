import { expect, test } from 'vitest'
import { createSignal, startRounds } from './rounds.ts'

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

test('a signal brings rounds before their interval is over, one for all that come together', async () => {
  let rounds = 0
  const running = startRounds(
    'hour',
    async () => void (rounds += 1),
    (error) => {
      throw error
    },
  )
  await expect.poll(() => rounds).toBe(1)
  const signal = createSignal()
  signal.take(running.soon)
  signal.give()
  signal.give()
  await expect.poll(() => rounds).toBe(2)
  signal.give()
  await expect.poll(() => rounds).toBe(3)
  await running.close()
  signal.give()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(rounds).toBe(3)
})
