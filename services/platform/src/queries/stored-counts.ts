import type { TelemetryStore } from '@longreach/telemetry/store'

/** A range of time, the end not included; in ms since 1970. */
export type Slice = { since: number; to: number }
export type Counting = { telemetry: TelemetryStore; ids: readonly number[]; signal: AbortSignal }

/** Series that are counted by one statement. */
export const idsAtOnce = 500

/** Number of stored values of each series in the range. */
export async function countStored({ telemetry, ids, signal }: Counting, { since, to }: Slice) {
  const counts: number[] = []
  if (to <= since) return ids.map(() => 0)
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    signal.throwIfAborted()
    const some = ids.slice(at, at + idsAtOnce)
    for (const buckets of await telemetry.buckets(some, { since, to, width: to - since })) {
      counts.push(buckets.reduce((sum, { count }) => sum + count, 0))
    }
  }
  return counts
}
