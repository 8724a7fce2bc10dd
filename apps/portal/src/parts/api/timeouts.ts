const second = 1_000

/** Time limit of a call to identity, in ms: tokens, tickets and the end of a session (N-01). */
export const identityLimitMs = 30 * second

/** Time limit of a call, in ms (N-01): core 90 s, creating or changing a preset or model 300 s, else 30 s. */
export function timeoutMs(method: string, path: string) {
  if (path.startsWith('/svc/core/')) {
    return path.includes('/organizations/loginInfo') ? 30 * second : 90 * second
  }
  const changes = method === 'POST' || method === 'PUT' || method === 'PATCH'
  const definition = /^\/svc\/mappings\/api\/v1\/(presets|mappings|models)(\/|\?|$)/.test(path)
  const search = /\/search(\?|$)/.test(path)
  return changes && definition && !search ? 300 * second : 30 * second
}

/** Adds a time limit to a call of identity's adapter, which has none; fails with a TimeoutError. */
export function inTime<T>(asked: Promise<T>, limitMs = identityLimitMs): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new DOMException('The call took too long', 'TimeoutError')),
    limitMs,
  )
  return Promise.race([asked, late.promise]).finally(() => clearTimeout(timer))
}
