import { answeredBefore, connection } from './connection.ts'
import { NotReachable } from './not-reachable.ts'
import { timeoutMs } from './timeouts.ts'

type Bearer = {
  token: () => Promise<string | undefined>
  /** Told when a call was answered 401 although it carried a token. */
  refused: () => void
}

/** Source of the bearer token of calls; the session sets it once it has one. */
export const bearer: Bearer = { token: async () => undefined, refused: () => undefined }

/** The browser's `fetch` with the person's token and the time limit of the call. */
export const authorizedFetch: typeof globalThis.fetch = async (input, init = {}) => {
  const token = await bearer.token()
  const headers = new Headers(init.headers)
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  const limit = AbortSignal.timeout(timeoutMs(init.method ?? 'GET', String(input)))
  const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit
  const answer = await answerOf(() => globalThis.fetch(input, { ...init, headers, signal }))
  connection.reached()
  if (answer.status === 401 && token !== undefined) bearer.refused()
  return answer
}

/** An answer of the server itself; without one, finds out whether it is away before it says so. */
async function answerOf(ask: () => Promise<Response>) {
  try {
    const answer = await ask()
    if (!answeredBefore(answer)) return answer
    connection.lost()
  } catch (cause) {
    const late = cause instanceof DOMException && cause.name === 'TimeoutError'
    if (!(cause instanceof TypeError) && !late) throw cause
    const reachable = await connection.prove()
    if (late && reachable) throw cause
  }
  throw new NotReachable()
}
