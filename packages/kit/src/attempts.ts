/**
 * Limit of failed attempts for each address in a time window. The counts live in this process only.
 */
export function createAttempts({ most, windowMs }: { most: number; windowMs: number }) {
  const byAddress = new Map<string, { until: number; count: number }>()
  const mostAddresses = 10_000

  const alive = (address: string, now: number) => {
    const entry = byAddress.get(address)
    return entry && entry.until > now ? entry : undefined
  }
  return {
    /** Seconds until the address may try again; 0 when it may try now. */
    waitS(address: string, now: Date) {
      const entry = alive(address, now.getTime())
      if (!entry || entry.count < most) return 0
      return Math.ceil((entry.until - now.getTime()) / 1000)
    },
    failed(address: string, now: Date) {
      const entry = alive(address, now.getTime())
      if (entry) {
        entry.count += 1
        return
      }
      byAddress.delete(address)
      byAddress.set(address, { until: now.getTime() + windowMs, count: 1 })
      // The oldest entry is dropped, so that memory stays bounded.
      const [oldest] = byAddress.keys()
      if (byAddress.size > mostAddresses && oldest !== undefined) byAddress.delete(oldest)
    },
  }
}
