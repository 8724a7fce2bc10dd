import type { Client } from '@longreach/kit/client'
import type { Contract } from '@longreach/kit/contract'
import { afterEach, expect, test, vi } from 'vitest'
import { lateClient } from './late-client.ts'

afterEach(() => vi.unstubAllGlobals())

type Clients = Client<Contract>
const asClient = (calls: Record<string, (input: unknown, options: unknown) => Promise<unknown>>) =>
  calls as unknown as Clients // what a test calls of it
type Loose = Record<
  string,
  ((input: unknown, options?: unknown) => Promise<unknown>) & { key: string }
>
const lateOf = (load: () => Promise<Clients>) =>
  lateClient<Contract>('core', load) as unknown as Loose

test('the contract comes with the first call, once for all of them', async () => {
  let loads = 0
  const late = lateOf(async () => {
    loads++
    return asClient({ mine: async () => 'mine', role: async (input) => input })
  })
  expect(late['mine']?.key).toBe('core.mine')
  expect(loads).toBe(0)
  const answers = await Promise.all([late['mine']?.({}), late['role']?.({ id: 1 })])
  expect(answers).toEqual(['mine', { id: 1 }])
  expect(loads).toBe(1)
})

test('a call is the same whenever it is named, so that caches find it', () => {
  const late = lateOf(async () => asClient({}))
  expect(late['mine']).toBe(late['mine'])
})

test('a call can be given up while its contract is on the way', async () => {
  let options: unknown
  const late = lateOf(async () =>
    asClient({
      mine: async (_, given) => {
        options = given
      },
    }),
  )
  const { signal } = new AbortController()
  await late['mine']?.({}, { signal })
  expect(options).toEqual({ signal })
})

test('a call that the contract does not have names itself', async () => {
  const late = lateOf(async () => asClient({}))
  await expect(late['gone']?.({})).rejects.toThrow('core has no call gone')
})

test('a contract that a reachable server did not give is asked for again by the next call', async () => {
  vi.stubGlobal('fetch', async () => new Response(''))
  vi.stubGlobal('document', { querySelectorAll: () => [] })
  let gone = true
  const late = lateOf(async () => {
    if (gone) throw new TypeError('Failed to fetch dynamically imported module')
    return asClient({ mine: async () => 'mine' })
  })
  await expect(late['mine']?.({})).rejects.toThrow('Failed to fetch')
  gone = false
  expect(await late['mine']?.({})).toBe('mine')
})

test('a client is no promise, so that it can be given on by asynchronous functions', async () => {
  const late = lateOf(async () => asClient({}))
  expect(await Promise.race([Promise.resolve({ late }), Promise.resolve('other')])).toEqual({
    late,
  })
})
