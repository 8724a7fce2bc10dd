/** Input of a call by part. */
export type Sent = {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

/** Path and query of a call, relative to the origin. */
export function urlOf(
  { base }: { base: string },
  endpoint: { path: string; base?: string },
  input: Sent,
) {
  const path = endpoint.path.replace(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(input.params?.[key] ?? ''),
  )
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(input.query ?? {})) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) search.append(key, textOf(one))
  }
  return `${endpoint.base ?? base}${path}${search.size > 0 ? `?${search}` : ''}`
}

/** Text of a value in an address; a time as ISO 8601. */
const textOf = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value))
