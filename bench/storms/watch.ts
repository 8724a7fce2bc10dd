import { setTimeout as wait } from 'node:timers/promises'
import { say } from '../report.ts'
import type { Balancer } from './balancer.ts'
import type { Shown } from './shown.ts'

const lookEveryMs = 2_000
const sayEveryMs = 10_000

/** Looks all the time whether devices are shown wrongly for too long; says how far the devices are. */
export function startWatch(balancer: Balancer, shown: Shown) {
  const late = new Set<number>()
  let closed = false
  let said = performance.now()
  const look = async () => {
    while (!closed) {
      await wait(lookEveryMs)
      for (const device of await shown.lateOnes()) late.add(device)
      if (performance.now() - said < sayEveryMs) continue
      said = performance.now()
      const { connected, served } = balancer.counts
      const ends = [...balancer.ends].map(([why, count]) => `${count} ${why}`).join(', ')
      const { size } = await shown.connected()
      say(`  ${connected} connected, ${served} served, ${size} shown; ended: ${ends || 'none'}`)
    }
  }
  const looking = look()
  return {
    /** Devices that were shown wrongly for too long since the last time. */
    take() {
      const taken = [...late]
      late.clear()
      return taken
    },
    async close() {
      closed = true
      await looking
    },
  }
}
export type Watch = ReturnType<typeof startWatch>
