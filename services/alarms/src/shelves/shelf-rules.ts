import type { ShelfReason } from './contract.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Shortest and longest time for which something is shelved from now, and the time over which it needs more rights. */
export const shelfTimes = { shortest: 15 * minuteMs, longest: 7 * 24 * hourMs, plain: 8 * hourMs }

/** Difference of the clocks of a browser and the server that is allowed. */
const clockMs = minuteMs

/** Fault of the end of a shelf: too early, too late, or none. */
export function faultOfEnd(until: number, now: number): 'short' | 'long' | undefined {
  if (until < now + shelfTimes.shortest - clockMs) return 'short'
  return until > now + shelfTimes.longest + clockMs ? 'long' : undefined
}

/** True for a shelf that lasts over 8 hours from its beginning. */
export const isLong = (until: number, begun: number) => until > begun + shelfTimes.plain + clockMs

/** True where the reason alone says too little. */
export const reasonNeedsNote = (reason: ShelfReason) => reason === 'other'
