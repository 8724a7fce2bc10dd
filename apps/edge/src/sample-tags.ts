import type { Value } from '@longreach/device-protocol/value'
import { pause } from './retry.ts'
import type { Reading, TagTable } from './tags.ts'

type Sample = [number, Value]
/** The rest is thinned: what is asked for is what a tag is like, not all of it. */
const mostOfTag = 300
const mostSamples = 20_000

/** Listens to the readings of the sources that run, whatever the platform wants sent of them. */
export function createTagSampler(table: Pick<TagTable, 'last'>) {
  const listening = new Set<(readings: readonly Reading[]) => void>()

  /** The good values of some tags from now on for a while, with the one before; oldest first. */
  async function sample({ tags, forMs }: { tags: readonly string[]; forMs: number }) {
    const found = new Map<string, Sample[]>(tags.map((tag) => [tag, []]))
    let left = mostSamples
    const take = (readings: readonly Reading[]) => {
      for (const reading of readings) {
        const samples = found.get(reading.tag)
        if (!samples || !reading.good || left <= 0 || samples.length >= mostOfTag) continue
        if (samples.at(-1)?.[0] === reading.t) continue
        samples.push([reading.t, reading.value])
        left -= 1
      }
    }
    take(tags.flatMap((tag) => table.last(tag) ?? []))
    listening.add(take)
    await pause(forMs, new AbortController().signal)
    listening.delete(take)
    return { samples: Object.fromEntries(found) }
  }

  return {
    take(readings: readonly Reading[]) {
      for (const listener of listening) listener(readings)
    },
    sample,
  }
}
export type TagSampler = ReturnType<typeof createTagSampler>
