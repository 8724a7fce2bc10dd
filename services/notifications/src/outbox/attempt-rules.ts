const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Milliseconds after the first, second … attempt; the last distance repeats. */
const distances = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  2 * hour,
  6 * hour,
]

/** Longest time that a server may ask to wait. */
const longestWaitMs = 6 * hour

type Ended = {
  /** Attempts that were made. */
  attempt: number
  now: Date
  /** Attempts end at this time. */
  until: Date
  /** Time that the server asks to wait. */
  retryAfterMs?: number | undefined
  /** Random number from 0 to 1, so that what failed together does not come again together. */
  random: number
}

/** Time of the next attempt; undefined when there is none. */
export function nextAttemptAt({ attempt, now, until, retryAfterMs = 0, random }: Ended) {
  const distance = distances[Math.min(attempt, distances.length) - 1] ?? 5 * second
  const asked = Math.min(retryAfterMs, longestWaitMs)
  const wait = Math.max(distance * (0.8 + 0.4 * random), asked * (1 + 0.1 * random))
  const next = new Date(now.getTime() + Math.ceil(wait))
  return next > until ? undefined : next
}
