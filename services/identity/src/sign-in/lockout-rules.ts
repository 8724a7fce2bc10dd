const minute = 60_000

export type Failures = { failures: number; lockedUntil: Date; lastAt: Date }
export type Limit = { free: number; firstMs: number; longestMs: number; forgottenAfterMs: number }

/** Long past, so that no attempt is refused that looked at its clock a moment earlier than another. */
export const notLocked = new Date(0)

/** Five wrong passwords for one name, then a minute, doubling up to a quarter of an hour: never for good. */
export const accountLimit: Limit = {
  free: 5,
  firstMs: minute,
  longestMs: 15 * minute,
  forgottenAfterMs: 12 * 60 * minute,
}
/** One address may be a whole plant behind a router. */
export const addressLimit: Limit = {
  free: 50,
  firstMs: minute,
  longestMs: 15 * minute,
  forgottenAfterMs: 60 * minute,
}

/**
 * One more attempt. It counts as failed at once, so that many at the same moment cannot all slip
 * through before the first is counted; success takes it back.
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
