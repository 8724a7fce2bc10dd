import { expect, test } from 'vitest'
import { createBodyRoom } from './body-room.ts'
import { createTurns } from './turns.ts'

const never = new AbortController().signal

test('a person has two turns, the third waits for one to end, others do not wait', async () => {
  const turns = createTurns({ atOnce: 2, mostWaiting: 1, longestWaitMs: 60_000 })
  const [first, second] = [await turns.take('ann', never), await turns.take('ann', never)]
  const order: string[] = []
  const third = turns.take('ann', never).then((release) => {
    order.push('third')
    return release
  })
  await expect(turns.take('ann', never)).rejects.toMatchObject({
    status: 429,
    code: 'request.too_many_costly',
    details: { retryAfterS: 5 },
  })
  const other = await turns.take('ben', never)
  order.push('ben')
  first()
  first() // ends once
  const release = await third
  expect(order).toEqual(['ben', 'third'])
  for (const end of [second, release, other]) end()
  expect(turns.size).toBe(0)
})

test('who leaves or waits too long gives up their place', async () => {
  const turns = createTurns({ atOnce: 1, mostWaiting: 5, longestWaitMs: 20 })
  const first = await turns.take('ann', never)
  const leaving = new AbortController()
  const left = turns.take('ann', leaving.signal)
  leaving.abort()
  await expect(left).rejects.toMatchObject({ name: 'AbortError' })
  await expect(turns.take('ann', never)).rejects.toMatchObject({ status: 429 })
  first()
  const again = await turns.take('ann', never)
  again()
  expect(turns.size).toBe(0)
})

test('bodies under way have so much room for each caller, given back once', () => {
  const rooms = createBodyRoom()
  const release = rooms.take('ann', 60, 100)
  expect(() => rooms.take('ann', 41, 100)).toThrow('request.too_many_bytes')
  rooms.take('ben', 100, 100)()
  release()
  release()
  rooms.take('ann', 100, 100)()
  expect(rooms.size).toBe(0)
})
