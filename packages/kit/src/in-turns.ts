import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of work between two looks at what else waits. */
const sliceMs = 20

/** Results of work on each of many items, in their order; between slices of it others get their turn. */
export async function inTurns<I, O>(
  items: Iterable<I>,
  work: (item: I, index: number) => O,
): Promise<O[]> {
  const results: O[] = []
  let begun = performance.now()
  for (const item of items) {
    results.push(work(item, results.length))
    if (performance.now() - begun < sliceMs) continue
    await nextTurn()
    begun = performance.now()
  }
  return results
}
