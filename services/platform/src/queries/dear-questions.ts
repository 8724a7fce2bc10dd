import type { TelemetryStore } from '@longreach/telemetry/store'
import { countStored } from './stored-counts.ts'
import { tooLarge } from './query-answered.ts'
import type { Plan } from './query-plan.ts'
import { findSources, mostSeries, type Source } from './query-source.ts'

/** Values that one answer may have, and that it may be made from while somebody waits. */
const mostValues = 20_000_000
/** Long before any machine; ms since 1970. */
const earliest = -1e13
/** From so many values on an answer waits for a turn among the costly calls of the same person. */
export const dearFrom = 200_000

/** About how many values a question reads, by what is stored; refused when it is too many. */
export async function valuesOf(
  telemetry: TelemetryStore,
  sources: readonly Source[],
  plan: Plan,
  signal: AbortSignal,
): Promise<number> {
  if (plan.action !== 'FETCH') return 0
  const found = await findSources(telemetry, sources, signal)
  if (!found) throw tooLarge('sources', `over ${mostSeries} paths; name fewer devices or paths`)
  const steps = plan.grid?.steps.starts.length ?? (plan.pixels ? plan.pixels.size * 2 : undefined)
  const most = Math.min(plan.limit ?? Infinity, steps ?? Infinity)
  if (found.length * most <= dearFrom) return found.length * most
  const ids = found.filter(({ past }) => past).map(({ series }) => series.id)
  const counts = await countStored(
    { telemetry, ids, signal },
    { since: Math.max(plan.since, earliest), to: plan.to },
  )
  const values = counts.reduce((sum, count) => sum + Math.min(count, most), 0)
  if (values <= mostValues) return values
  throw tooLarge(
    'sources',
    `about ${values} values; take fewer paths, a shorter range or longer steps, or write an export`,
  )
}
