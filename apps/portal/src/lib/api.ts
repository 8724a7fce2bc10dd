import { coreContract } from '@longreach/core/contract'
import { type Call, client } from '@longreach/kit/client'
import type { Endpoint, Input } from '@longreach/kit/contract'
import { mappingsContract } from '@longreach/mappings/contract'
import { platformContract } from '@longreach/platform/contract'
import { QueryClient, queryOptions } from '@tanstack/react-query'
import { connection } from './connection.ts'
import { timeoutMs } from './timeouts.ts'

/** Where calls get their bearer token from; the session sets it once it has one. */
export const bearer: { token: () => Promise<string | undefined> } = {
  token: async () => undefined,
}

/** The browser's `fetch` with the person's token and the time limit of the call. */
export const authorizedFetch: typeof globalThis.fetch = async (input, init = {}) => {
  const token = await bearer.token()
  const headers = new Headers(init.headers)
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  const limit = AbortSignal.timeout(timeoutMs(init.method ?? 'GET', String(input)))
  const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit
  try {
    const answer = await globalThis.fetch(input, { ...init, headers, signal })
    connection.reached()
    return answer
  } catch (cause) {
    if (cause instanceof TypeError) connection.lost()
    throw cause
  }
}

export const api = {
  core: client(coreContract, authorizedFetch),
  mappings: client(mappingsContract, authorizedFetch),
  platform: client(platformContract, authorizedFetch),
}

export const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: false } },
})

/** Query options for one call: the key is the endpoint and its input. */
export const query = <E extends Endpoint>(call: Call<E>, input: Input<E>) =>
  queryOptions({ queryKey: [call.key, input], queryFn: ({ signal }) => call(input, { signal }) })

/** Forget every cached answer of an endpoint, whatever its input was. */
export const stale = (call: { key: string }) => queries.invalidateQueries({ queryKey: [call.key] })
