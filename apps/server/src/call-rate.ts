import { randomUUID } from 'node:crypto'
import type { Fabric } from '@longreach/kit/fabric'
import { defineSubject } from '@longreach/kit/fabric-contract'
import { z } from 'zod'

type Rate = { perMinute: number; atOnce: number }

/** Calls of API keys that a process has taken in the last moment: `[id, count]`. */
const callsSubject = defineSubject({
  subject: 'api-key-calls',
  message: z.object({ from: z.string(), calls: z.array(z.tuple([z.int(), z.int()])) }),
})

/** Interval at which a process tells the others how many calls it has taken. */
const tellEveryMs = 500

/** Token bucket of calls for each id: a burst is accepted, a constant flood is not. */
function callRate({ perMinute, atOnce }: Rate) {
  const buckets = new Map<number, { left: number; at: number }>()
  const leftAt = (id: number, now: number) => {
    const held = buckets.get(id) ?? { left: atOnce, at: now }
    return Math.min(atOnce, held.left + ((now - held.at) / 60_000) * perMinute)
  }
  return {
    /** Takes one call; returns 0, or the seconds until the next one. */
    waitS(id: number, now: number) {
      const left = leftAt(id, now)
      buckets.set(id, { left: left >= 1 ? left - 1 : left, at: now })
      return left >= 1 ? 0 : Math.max(1, Math.ceil(((1 - left) * 60) / perMinute))
    },
    /** Takes calls that another process has answered; at most a burst of them is owed. */
    takeElsewhere(id: number, count: number, now: number) {
      buckets.set(id, { left: Math.max(-atOnce, leftAt(id, now) - count), at: now })
    },
  }
}

/** The same, with the calls at all processes together, as far as they can be reached. */
export function sharedCallRate(
  rate: Rate,
  fabric: Pick<Fabric, 'tell' | 'hear'>,
  now: () => number,
) {
  const own = callRate(rate)
  const from = randomUUID()
  const taken = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined
  const tell = () => {
    timer = undefined
    fabric.tell(callsSubject, { from, calls: [...taken] })
    taken.clear()
  }
  fabric.hear(callsSubject, ({ from: sender, calls }) => {
    if (sender === from) return
    for (const [id, count] of calls) own.takeElsewhere(id, count, now())
  })
  return {
    /** Takes one call; returns 0, or the seconds until the next one. */
    waitS(id: number) {
      const wait = own.waitS(id, now())
      if (wait > 0) return wait
      taken.set(id, (taken.get(id) ?? 0) + 1)
      timer ??= setTimeout(tell, tellEveryMs).unref()
      return 0
    },
  }
}
