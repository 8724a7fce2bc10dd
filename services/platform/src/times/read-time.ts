const shortUnit: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** ms since 1970 of ISO 8601, of a number of ms, or of `now-15m` or `-15m`; undefined when it is none of them. */
export function readTime(raw: string | number, now: number): number | undefined {
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : undefined
  const relative = /^(?:now)?([+-]\d{1,9})(ms|[smhdw])$/.exec(raw)
  if (relative) return now + Number(relative[1] ?? 0) * (shortUnit[relative[2] ?? ''] ?? 0)
  if (raw === 'now') return now
  if (/^-?\d{1,15}$/.test(raw)) return Number(raw)
  // A zone is required: a local time would depend on the zone of the server.
  if (!/^\d{4}-\d\d-\d\d([T ][\d:.]+(Z|[+-]\d\d:?\d\d)?)?$/.test(raw)) return undefined
  const parsed = Date.parse(/(Z|[+-]\d\d:?\d\d|^[^T ]+)$/.test(raw) ? raw : `${raw}Z`)
  return Number.isNaN(parsed) ? undefined : parsed
}
