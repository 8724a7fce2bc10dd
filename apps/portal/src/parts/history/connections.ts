import type { TimeWindow } from '@longreach/ui/time-range'

/** Span of time in which a device was connected or disconnected. */
export type Presence = TimeWindow & { connected: boolean }
export type Change = { at: number; connected: boolean }

/**
 * Spans in which a device was connected and disconnected, oldest first, up to `until`; none for the
 * time before its first known change. `changes` may come in any order.
 */
export function presencesOf(
  changes: readonly Change[],
  { from, until }: { from: number; until: number },
): Presence[] {
  const sorted = changes.toSorted((a, b) => a.at - b.at)
  const presences: Presence[] = []
  for (const [index, { at, connected }] of sorted.entries()) {
    const span = { from: Math.max(from, at), to: sorted[index + 1]?.at ?? until }
    if (span.to <= span.from) continue
    const before = presences.at(-1)
    if (before?.connected === connected) before.to = span.to
    else presences.push({ ...span, connected })
  }
  return presences
}

/** The stretches of these in which the device was away. */
export const awayOf = (presences: readonly Presence[]): TimeWindow[] =>
  presences.flatMap(({ from, to, connected }) => (connected ? [] : [{ from, to }]))
