const minute = 60_000

export type Failures = { failures: number; lockedUntil: Date; lastAt: Date }
export type Limit = { free: number; firstMs: number; longestMs: number; forgottenAfterMs: number }

/** Value of `lockedUntil` without a lockout: in the past for every clock. */
export const notLocked = new Date(0)

/**
 * Limit for a name: from the fifth wrong password on a lockout of one minute, doubling up to 15 minutes;
 * never permanent.
 */
export const accountLimit: Limit = {
  free: 5,
  firstMs: minute,
  longestMs: 15 * minute,
  forgottenAfterMs: 12 * 60 * minute,
}
/** Limit for a network, which may be a whole plant behind a router. */
export const addressLimit: Limit = {
  free: 50,
  firstMs: minute,
  longestMs: 15 * minute,
  forgottenAfterMs: 60 * minute,
}

/**
 * Count one attempt. It counts as failed at once, so that many attempts at the same time cannot pass
 * before the first is counted; success removes it.
 */
export function attempt(
  before: Failures | undefined,
  limit: Limit,
  now: Date,
): { allowed: true; after: Failures } | { allowed: false; retryAfterS: number } {
  if (before && before.lockedUntil > now) {
    const retryAfterS = Math.ceil((before.lockedUntil.getTime() - now.getTime()) / 1000)
    return { allowed: false, retryAfterS }
  }
  const forgotten = !before || now.getTime() - before.lastAt.getTime() > limit.forgottenAfterMs
  const failures = forgotten ? 1 : before.failures + 1
  const over = failures - limit.free
  const delayMs = over < 0 ? 0 : Math.min(limit.longestMs, limit.firstMs * 2 ** Math.min(over, 20))
  const lockedUntil = delayMs === 0 ? notLocked : new Date(now.getTime() + delayMs)
  return { allowed: true, after: { failures, lockedUntil, lastAt: now } }
}
