import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of work between two looks at what else waits. */
const sliceMs = 20

/** All work of this process that is done in turns: of it one slice is done between two looks, whoever's it is. */
let line = Promise.resolve()

/** Lets others have their turn when work has gone on for a while since the last time. */
export function turnTaker(longestMs = sliceMs) {
  let begun = performance.now()
  return {
    isLong: () => performance.now() - begun >= longestMs,
    async next() {
      line = line.then(() => nextTurn())
      await line
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
