type Rate = { perMinute: number; atOnce: number }

/** Token bucket of calls for each id: a burst is accepted, a constant flood is not. */
export function callRate({ perMinute, atOnce }: Rate) {
  const buckets = new Map<number, { left: number; at: number }>()
  return {
    /** Takes one call; returns 0, or the seconds until the next one. */
    waitS(id: number, now: number) {
      const held = buckets.get(id) ?? { left: atOnce, at: now }
      const left = Math.min(atOnce, held.left + ((now - held.at) / 60_000) * perMinute)
      buckets.set(id, { left: left >= 1 ? left - 1 : left, at: now })
      return left >= 1 ? 0 : Math.max(1, Math.ceil(((1 - left) * 60) / perMinute))
    },
  }
}
