type Rate = { perMinute: number; atOnce: number }

/** A bucket of calls for each id, filled at an even pace: a burst is fine, a flood is not. */
export function callRate({ perMinute, atOnce }: Rate) {
  const buckets = new Map<number, { left: number; at: number }>()
  return {
    /** Takes one call; otherwise says in how many seconds the next one is. */
    waitS(id: number, now: number) {
      const held = buckets.get(id) ?? { left: atOnce, at: now }
      const left = Math.min(atOnce, held.left + ((now - held.at) / 60_000) * perMinute)
      buckets.set(id, { left: left >= 1 ? left - 1 : left, at: now })
      return left >= 1 ? 0 : Math.max(1, Math.ceil(((1 - left) * 60) / perMinute))
    },
  }
}
