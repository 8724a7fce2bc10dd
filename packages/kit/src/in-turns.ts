import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of work between two looks at what else waits. */
const sliceMs = 20

/** Lets others have their turn when work has gone on for a while since the last time. */
export function turnTaker(longestMs = sliceMs) {
  let begun = performance.now()
  return {
    isLong: () => performance.now() - begun >= longestMs,
    async next() {
      await nextTurn()
      begun = performance.now()
    },
  }
}

/** Results of work on each of many items, in their order; between slices of it others get their turn. */
export async function inTurns<I, O>(
  items: Iterable<I>,
  work: (item: I, index: number) => O,
): Promise<O[]> {
  const results: O[] = []
  const turn = turnTaker()
  for (const item of items) {
    results.push(work(item, results.length))
    if (turn.isLong()) await turn.next()
  }
  return results
}
