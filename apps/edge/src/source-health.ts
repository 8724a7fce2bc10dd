import type { SourceHealth } from '@longreach/device-protocol/agent-wire'
import type { z } from 'zod'
import type { Reading } from './tags.ts'

type Health = z.output<typeof SourceHealth>
const windowMs = 30_000

/** Statistics of a source: its rate, its bad tags, and the last error. */
export function createSourceHealth(name: string, type: string, tags: () => number) {
  const bad = new Map<string, string>()
  const known = new Set<string>()
  let [from, count, before] = [Date.now(), 0, 0]
  let beforeMs = 0
  let errors = 0
  let last: Pick<Health, 'lastError' | 'lastErrorAt' | 'lastGoodAt'> = {}

  function turn(now: number) {
    if (now - from < windowMs) return
    beforeMs = Math.min(now - from, 2 * windowMs)
    ;[before, count, from] = [count, 0, now]
  }

  return {
    note(readings: readonly Reading[], now = Date.now()) {
      turn(now)
      count += readings.length
      let failed: string | undefined
      for (const reading of readings) {
        known.add(reading.tag)
        if (reading.good) {
          bad.delete(reading.tag)
          last.lastGoodAt = now
        } else {
          bad.set(reading.tag, reading.reason)
          failed ??= reading.reason
        }
      }
      if (failed === undefined) return
      errors += 1
      last = { ...last, lastError: failed.slice(0, 1_000), lastErrorAt: now }
    },
    read(now = Date.now()): Health {
      turn(now)
      const seconds = Math.max(1_000, now - from + beforeMs) / 1_000
      const all = tags()
      return {
        name,
        type,
        state: stateOf(known.size, bad.size),
        tags: all,
        badTags: bad.size,
        rate: Math.round(((count + before) / seconds) * 100) / 100,
        errors,
        ...last,
      }
    },
  }
}

function stateOf(known: number, bad: number): Health['state'] {
  if (known === 0) return 'starting'
  if (bad === 0) return 'ok'
  return bad < known ? 'partly' : 'failed'
}
