const second = 1_000

/** How long a call may take, in ms (N-01): core 90 s, making or changing a preset or model 300 s, else 30 s. */
export function timeoutMs(method: string, path: string) {
  if (path.startsWith('/svc/core/')) {
    return path.includes('/organizations/loginInfo') ? 30 * second : 90 * second
  }
  const changes = method === 'POST' || method === 'PUT' || method === 'PATCH'
  const definition = /^\/svc\/mappings\/api\/v1\/(presets|mappings|models)(\/|\?|$)/.test(path)
  const search = /\/search(\?|$)/.test(path)
  return changes && definition && !search ? 300 * second : 30 * second
}
