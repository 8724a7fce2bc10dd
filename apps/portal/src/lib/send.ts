import { connection } from './connection.ts'
import { timeoutMs } from './timeouts.ts'

type Bearer = {
  token: () => Promise<string | undefined>
  /** Told when a call was answered 401 although it carried a token. */
  refused: () => void
}

/** Where calls get their bearer token from; the session sets it once it has one. */
export const bearer: Bearer = { token: async () => undefined, refused: () => undefined }

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
    if (answer.status === 401 && token !== undefined) bearer.refused()
    return answer
  } catch (cause) {
    if (cause instanceof TypeError) connection.lost()
    throw cause
  }
}
