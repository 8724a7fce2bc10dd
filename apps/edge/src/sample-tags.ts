import type { Value } from '@longreach/device-protocol/value'
import { pause } from './retry.ts'
import type { Reading, TagTable } from './tags.ts'

type Sample = [number, Value]
/** Largest number of samples of a tag; more are thinned out. */
const mostOfTag = 300
const mostSamples = 20_000

/** Collects readings of the running sources, independent of what the platform wants sent. */
export function createTagSampler(table: Pick<TagTable, 'last'>) {
  const listening = new Set<(readings: readonly Reading[]) => void>()

  /** Good values of some tags during `forMs`, with the one before; oldest first. */
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
