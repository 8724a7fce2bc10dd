import type { Aggregation, TagQuestion } from './tag-contract.ts'

const unitMs = {
  milliseconds: 1,
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
  weeks: 604_800_000,
} as const
const shortUnit: Record<string, number> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}
/** Values that are answered where a question without `since` names no limit. */
const newestByDefault = 1_000
/** What a question without `since` may ask for: it is collected before it is sent. */
const mostNewest = 100_000
/** Steps that one answer may have for each path. */
const mostSteps = 100_000

/** How a question is to be answered for each path. All times in ms since 1970. */
export type Plan = { since: number; to: number } & (
  | { kind: 'raw'; limit: number | undefined }
  | { kind: 'newest'; limit: number }
  | { kind: 'steps'; width: number; figure: Aggregation['type']; limit?: number; newest: boolean }
  | { kind: 'pixels'; width: number; size: number }
)
export type Planned = { ok: true; plan: Plan } | { ok: false; field: string; message: string }

/** ms since 1970 of ISO 8601, of a number of ms, or of `now-15m`; undefined when it is none of them. */
export function readTime(raw: string | number, now: number): number | undefined {
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : undefined
  const relative = /^now(?:([+-]\d{1,9})(ms|[smhdw]))?$/.exec(raw)
  if (relative) return now + Number(relative[1] ?? 0) * (shortUnit[relative[2] ?? ''] ?? 0)
  if (/^-?\d{1,15}$/.test(raw)) return Number(raw)
  // A zone is needed: a local time would depend on where the server stands.
  if (!/^\d{4}-\d\d-\d\d([T ][\d:.]+(Z|[+-]\d\d:?\d\d)?)?$/.test(raw)) return undefined
  const parsed = Date.parse(/(Z|[+-]\d\d:?\d\d|^[^T ]+)$/.test(raw) ? raw : `${raw}Z`)
  return Number.isNaN(parsed) ? undefined : parsed
}

const wrong = (field: string, message: string): Planned => ({ ok: false, field, message })

type Asked = Pick<
  TagQuestion,
  'since' | 'to' | 'sinceAfter' | 'limit' | 'aggregation' | 'downsampling'
>

type Times = Partial<Record<'since' | 'to' | 'sinceAfter', number>>

function timesOf(question: Asked, now: number): Times | { wrong: string } {
  const times: Times = {}
  for (const field of ['since', 'to', 'sinceAfter'] as const) {
    const raw = question[field]
    if (raw === undefined) continue
    const time = readTime(raw, now)
    if (time === undefined) return { wrong: field }
    times[field] = time
  }
  return times
}

/** Decide from the question alone what to read. */
export function planOf(question: Asked, now: number): Planned {
  const times = timesOf(question, now)
  if ('wrong' in times) {
    const message = `${times.wrong} is no time; ISO 8601, ms since 1970 or now-15m are read`
    return wrong(times.wrong, message)
  }
  const from = beginningOf(times)
  const { to } = times
  if (from !== undefined && to !== undefined && from > to) {
    return wrong('since', 'since lies after to')
  }
  const { aggregation, downsampling, limit } = question
  if (aggregation && downsampling) {
    return wrong('downsampling', 'an aggregation has steps already; leave downsampling out')
  }
  if (aggregation) return stepsOf(aggregation, { from, to: to ?? now + 1, limit })
  if (downsampling) return pixelsOf(downsampling.size, { from, to: to ?? now + 1, limit })
  // Without an end also values of a clock that runs ahead are found.
  return valuesOf(limit, from, to ?? now + aheadMs)
}

/** The first ms that counts; undefined without a beginning. */
function beginningOf({ since, sinceAfter }: Times) {
  if (sinceAfter === undefined) return since
  return Math.max(sinceAfter + 1, since ?? -Infinity)
}

/** Clocks of machines may be ahead this far; `ingest` refuses more. */
const aheadMs = 86_400_000

function valuesOf(limit: number | undefined, from: number | undefined, to: number): Planned {
  if (from !== undefined) return { ok: true, plan: { kind: 'raw', since: from, to, limit } }
  const newest = Math.min(limit ?? newestByDefault, mostNewest)
  return { ok: true, plan: { kind: 'newest', since: Number.MIN_SAFE_INTEGER, to, limit: newest } }
}

type Stretch = { from: number | undefined; to: number; limit: number | undefined }

function pixelsOf(size: number, { from, to, limit }: Stretch): Planned {
  if (limit !== undefined) {
    return wrong('limit', 'downsampling says how many values there are; leave limit out')
  }
  if (from === undefined) return wrong('since', 'downsampling needs since')
  const width = Math.max(1, Math.ceil((to - from) / size))
  return { ok: true, plan: { kind: 'pixels', since: from, to: Math.max(from, to), width, size } }
}

function stepsOf({ type, sampling }: Aggregation, { from, to, limit }: Stretch): Planned {
  const width = Math.max(1, Math.round(sampling.size * unitMs[sampling.unit]))
  if (from === undefined && sampling.extent === undefined) {
    return wrong('since', 'an aggregation needs since, or an extent')
  }
  if (from !== undefined && from > to) return wrong('since', 'since lies in the future')
  const since = from ?? to - width * (sampling.extent ?? 1)
  if ((to - since) / width > mostSteps) {
    return wrong('aggregation', `over ${mostSteps} steps; take longer ones or a shorter range`)
  }
  const few = { newest: from === undefined, ...(limit !== undefined && { limit }) }
  return { ok: true, plan: { kind: 'steps', since, to, width, figure: type, ...few } }
}
