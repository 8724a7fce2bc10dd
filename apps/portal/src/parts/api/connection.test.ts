import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answeredBefore, connection } from './connection.ts'
import { NotReachable } from './not-reachable.ts'
import { authorizedFetch, bearer } from './send.ts'

/** The server behind the browser's `fetch`: there, away, or behind a proxy that says it is away. */
let server: 'there' | 'away' | 'proxy' = 'there'
let asked: string[] = []
beforeEach(() => {
  server = 'there'
  asked = []
  vi.useFakeTimers()
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    asked.push(`${init?.method ?? 'GET'} ${input}`)
    if (server === 'away') throw new TypeError('Failed to fetch')
    return server === 'proxy' ? new Response('<html>', { status: 502 }) : Response.json({})
  })
  connection.reached()
})
afterEach(async () => {
  server = 'there'
  connection.tryNow()
  await vi.runOnlyPendingTimersAsync()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  bearer.token = async () => undefined
  bearer.refused = () => undefined
})
const answer = (status: number, type = 'text/html') =>
  new Response('', { status, headers: { 'content-type': type } })

test('a proxy answers for a server that is away, the server itself says 503 in JSON', () => {
  expect([502, 504].map((status) => answeredBefore(answer(status)))).toEqual([true, true])
  expect(answeredBefore(answer(503))).toBe(true)
  expect(answeredBefore(answer(503, 'application/json'))).toBe(false)
  expect(answeredBefore(answer(500))).toBe(false)
})

test('a call that is not answered proves whether the server is away, and says so', async () => {
  server = 'away'
  await expect(authorizedFetch('/svc/x')).rejects.toBeInstanceOf(NotReachable)
  expect(connection.state()).toMatchObject({ reachable: false, nextTryAt: Date.now() + 2_000 })
  expect(asked).toEqual(['GET /svc/x', 'HEAD /favicon.svg'])
})

test('a proxy that answers instead of the server is believed without a proof', async () => {
  server = 'proxy'
  await expect(authorizedFetch('/svc/x')).rejects.toBeInstanceOf(NotReachable)
  expect(connection.state().reachable).toBe(false)
  expect(asked).toHaveLength(1)
})

test('a server that is away is asked again later and later, at most every half minute', async () => {
  server = 'away'
  connection.lost()
  const waits: number[] = []
  for (let round = 0; round < 7; round++) {
    const state = connection.state()
    if (state.reachable) throw new Error('still away')
    waits.push(state.nextTryAt - Date.now())
    await vi.advanceTimersByTimeAsync(state.nextTryAt - Date.now())
  }
  expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
})

test('everybody who waits goes on when the server answers, and the waits begin anew', async () => {
  server = 'away'
  connection.lost()
  await vi.advanceTimersByTimeAsync(2_000)
  const went: string[] = []
  void connection.whenReachable().then(() => went.push('one'))
  void connection.whenReachable().then(() => went.push('other'))
  server = 'there'
  await vi.advanceTimersByTimeAsync(4_000)
  expect(went).toEqual(['one', 'other'])
  server = 'away'
  connection.lost()
  expect(connection.state()).toMatchObject({ nextTryAt: Date.now() + 2_000 })
})

test('a person who does not want to wait has the server asked at once', async () => {
  server = 'away'
  connection.lost()
  server = 'there'
  connection.tryNow()
  await vi.advanceTimersByTimeAsync(0)
  expect(connection.state().reachable).toBe(true)
  connection.tryNow()
  expect(asked).toEqual(['HEAD /favicon.svg'])
})

test('many who doubt at the same time ask once', async () => {
  await Promise.all([connection.prove(), connection.prove(), connection.prove()])
  expect(asked).toEqual(['HEAD /favicon.svg'])
})

test('since when nothing is known is the time of the last answer, however often was asked', async () => {
  const last = Date.now()
  connection.reached()
  server = 'away'
  await vi.advanceTimersByTimeAsync(10_000)
  connection.lost()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(connection.state()).toMatchObject({ lastAnswerAt: last })
})

test('each change of the state is told, until one listens no more', async () => {
  const told: boolean[] = []
  const stop = connection.subscribe(() => told.push(connection.state().reachable))
  server = 'away'
  connection.lost()
  connection.lost()
  connection.reached()
  stop()
  connection.lost()
  expect(told).toEqual([false, true])
})

test('a call carries the token of the person; one that is refused with it tells the session', async () => {
  let refused = 0
  const tokens: (string | null)[] = []
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    tokens.push(new Headers(init.headers).get('authorization'))
    return answer(401, 'application/json')
  })
  bearer.refused = () => void refused++
  await authorizedFetch('/svc/x')
  bearer.token = async () => 'a-token'
  await authorizedFetch('/svc/x', { headers: { accept: 'text/csv' } })
  expect(tokens).toEqual([null, 'Bearer a-token'])
  expect(refused).toBe(1)
})

test('a call that its caller gave up is no sign of a server that is away', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new DOMException('gone', 'AbortError')
  })
  await expect(authorizedFetch('/svc/x')).rejects.toMatchObject({ name: 'AbortError' })
  expect(connection.state().reachable).toBe(true)
})

test('a call that takes too long fails as such while the server answers others', async () => {
  vi.stubGlobal('fetch', async (input: string) => {
    if (input === '/favicon.svg') return Response.json({})
    throw new DOMException('late', 'TimeoutError')
  })
  await expect(authorizedFetch('/svc/x')).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(connection.state().reachable).toBe(true)
})
