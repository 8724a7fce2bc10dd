const mostSlow = 1_000

/**
 * Load of the hosts that this process sends to. One that was slow last gets one delivery at a time, which does not
 * count among the quick ones, until it is quick again.
 */
export function createHostLoad(perHost: number) {
  const underWay = new Map<string, number>()
  const slow = new Set<string>()
  return {
    isSlow: (host: string) => slow.has(host),
    began: (host: string) => void underWay.set(host, (underWay.get(host) ?? 0) + 1),
    slowed(host: string) {
      slow.add(host)
      const [oldest] = slow
      if (slow.size > mostSlow && oldest !== undefined) slow.delete(oldest)
    },
    ended(host: string, isQuick: boolean) {
      const left = (underWay.get(host) ?? 1) - 1
      if (left === 0) underWay.delete(host)
      else underWay.set(host, left)
      if (isQuick) slow.delete(host)
    },
    /** Places of each host that are taken, of `perHost`. */
    busy(): ReadonlyMap<string, number> {
      const taken = new Map(underWay)
      for (const host of slow) taken.set(host, perHost - 1 + (underWay.get(host) ?? 0))
      return taken
    },
  }
}
