import type { TelemetryStore } from '@longreach/telemetry/store'
import { countStored } from './stored-counts.ts'
import { queryTooLarge } from './query-answered.ts'
import type { Plan } from './query-plan.ts'
import { findSources, mostSeries, type Source } from './query-source.ts'

/** Most values that one answer may have, and that may be read for it. */
const mostValues = 20_000_000
/** Beginning of all times, in ms since 1970. */
const earliest = -1e13
/** Number of values from which an answer waits for the other costly calls of the same person. */
export const costlyFrom = 200_000

/** Estimated number of stored values that a query reads; refused when there are too many. */
export async function estimateReadValues(
  telemetry: TelemetryStore,
  sources: readonly Source[],
  plan: Plan,
  signal: AbortSignal,
): Promise<number> {
  if (plan.action !== 'FETCH') return 0
  const found = await findSources(telemetry, sources, signal)
  if (!found)
    throw queryTooLarge('sources', `over ${mostSeries} paths; name fewer devices or paths`)
  const steps = plan.grid?.steps.starts.length ?? (plan.pixels ? plan.pixels.size * 2 : undefined)
  const most = Math.min(plan.limit ?? Infinity, steps ?? Infinity)
  if (found.length * most <= costlyFrom) return found.length * most
  const ids = found.filter(({ past }) => past).map(({ series }) => series.id)
  const counts = await countStored(
    { telemetry, ids, signal },
    { since: Math.max(plan.since, earliest), to: plan.to },
  )
  const values = counts.reduce((sum, count) => sum + Math.min(count, most), 0)
  if (values <= mostValues) return values
  throw queryTooLarge(
    'sources',
    `about ${values} values; take fewer paths, a shorter range or longer steps, or write an export`,
  )
}
