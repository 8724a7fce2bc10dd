import { AppError } from '@longreach/kit/errors'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stale } from './api.ts'
import { connection } from './connection.ts'
import { NotReachable } from './not-reachable.ts'
import { queries, refusal } from './queries.ts'

let answer: () => unknown
let asked: number
let ends: (() => void)[]
beforeEach(() => {
  vi.useFakeTimers()
  queries.mount()
  queries.clear()
  asked = 0
  ends = []
})
afterEach(() => {
  for (const end of ends) end()
  refusal.staysOpen = async () => false
  queries.clear()
  queries.unmount()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A question that a page shows, with its first answer. */
async function shown(first: () => unknown) {
  answer = first
  const observer = new QueryObserver(queries, {
    queryKey: ['core.role', 1],
    queryFn: async () => {
      asked++
      return answer()
    },
    retryDelay: 1,
  })
  ends.push(observer.subscribe(() => undefined))
  await vi.advanceTimersByTimeAsync(10)
  return observer
}
const fails = (error: unknown) => () => {
  throw error
}
const again = async (observer: Awaited<ReturnType<typeof shown>>) => {
  const result = await observer.refetch()
  await vi.advanceTimersByTimeAsync(1)
  return { ...result, ...observer.getCurrentResult() }
}

test('what is known stays on the page when the server fails, and is asked for again', async () => {
  const observer = await shown(() => 'known')
  answer = fails(new AppError(500, 'internal'))
  expect(await again(observer)).toMatchObject({
    status: 'success',
    data: 'known',
    error: null,
  })
  answer = () => 'new'
  await vi.advanceTimersByTimeAsync(10_000)
  expect(observer.getCurrentResult().data).toBe('new')
})

test('a right that was taken away is told in place of what was shown', async () => {
  const observer = await shown(() => 'known')
  answer = fails(new AppError(403, 'auth.missing_permission'))
  expect(await again(observer)).toMatchObject({ status: 'error' })
})

test('unless the page says itself that it stays open', async () => {
  refusal.staysOpen = async () => true
  const observer = await shown(() => 'known')
  answer = fails(new AppError(403, 'auth.missing_permission'))
  expect(await again(observer)).toMatchObject({
    status: 'success',
    data: 'known',
  })
})

test('a thing that is gone is told, though it was shown before', async () => {
  const observer = await shown(() => 'known')
  answer = fails(new AppError(404, 'core.not_found'))
  expect(await again(observer)).toMatchObject({ status: 'error', data: 'known' })
})

test('a first answer that fails is a failure, and is not asked for by itself', async () => {
  const observer = await shown(fails(new AppError(500, 'internal')))
  expect(observer.getCurrentResult()).toMatchObject({ status: 'error' })
  await vi.advanceTimersByTimeAsync(30_000)
  expect(asked).toBe(1)
})

test('a call that did not arrive is tried three times more while the server answers others', async () => {
  const observer = await shown(fails(new NotReachable()))
  await vi.advanceTimersByTimeAsync(100)
  expect(asked).toBe(4)
  expect(observer.getCurrentResult()).toMatchObject({ status: 'error' })
})

test('while the server is away questions wait, and go on when it answers', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch')
  })
  connection.lost()
  const observer = await shown(() => 'answer')
  expect([asked, observer.getCurrentResult().fetchStatus]).toEqual([0, 'paused'])
  connection.reached()
  await vi.advanceTimersByTimeAsync(10)
  expect(observer.getCurrentResult().data).toBe('answer')
})

test('after a change every answer of a call is asked for again, whatever its input was', async () => {
  const observer = await shown(() => 'before')
  answer = () => 'after'
  await stale({ key: 'core.role' })
  expect(observer.getCurrentResult().data).toBe('after')
  const before = asked
  await stale({ key: 'core.roles' })
  expect(asked).toBe(before)
})
