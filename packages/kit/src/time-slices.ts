import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of work before other work of the process may run. */
const sliceMs = 20

/** Queue of slices of all such work in this process. */
let line = Promise.resolve()

/** Slicer of long work: `isLong` after `longestMs` in a slice, `next` lets other work run and begins the next slice. */
export function createTimeSlicer(longestMs = sliceMs) {
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

/** Results of `work` for each item, in order; other requests are served between slices. */
export async function mapInSlices<I, O>(
  items: Iterable<I>,
  work: (item: I, index: number) => O,
): Promise<O[]> {
  const results: O[] = []
  const turn = createTimeSlicer()
  for (const item of items) {
    results.push(work(item, results.length))
    if (turn.isLong()) await turn.next()
  }
  return results
}
