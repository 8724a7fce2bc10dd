import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Fabric } from './fabric.ts'
import { defineSubject } from './fabric-contract.ts'

type Limit = { most: number; windowMs: number }
/** Count that all processes have in common, by its name (`pairing.keys`). */
type Shared = { fabric: Pick<Fabric, 'tell' | 'hear'>; name: string }

const attemptSubject = defineSubject({
  subject: 'attempt',
  message: z.object({ from: z.string(), name: z.string(), address: z.string(), at: z.number() }),
})

/**
 * Limit of failed attempts for each address in a time window. The counts are in memory; shared ones
 * count the attempts at other processes too, while they can be reached.
 */
export function createAttempts({ most, windowMs }: Limit, shared?: Shared) {
  const byAddress = new Map<string, { until: number; count: number }>()
  const mostAddresses = 10_000
  const from = randomUUID()

  const alive = (address: string, now: number) => {
    const entry = byAddress.get(address)
    return entry && entry.until > now ? entry : undefined
  }
  const add = (address: string, now: number) => {
    const entry = alive(address, now)
    if (entry) {
      entry.count += 1
      return
    }
    byAddress.delete(address)
    byAddress.set(address, { until: now + windowMs, count: 1 })
    // The oldest entry is dropped, so that memory stays bounded.
    const [oldest] = byAddress.keys()
    if (byAddress.size > mostAddresses && oldest !== undefined) byAddress.delete(oldest)
  }
  shared?.fabric.hear(attemptSubject, (attempt) => {
    if (attempt.from !== from && attempt.name === shared.name) add(attempt.address, attempt.at)
  })
  return {
    /** Seconds until the address may try again; 0 when it may try now. */
    waitS(address: string, now: Date) {
      const entry = alive(address, now.getTime())
      if (!entry || entry.count < most) return 0
      return Math.ceil((entry.until - now.getTime()) / 1000)
    },
    failed(address: string, now: Date) {
      add(address, now.getTime())
      shared?.fabric.tell(attemptSubject, { from, name: shared.name, address, at: now.getTime() })
    },
  }
}
