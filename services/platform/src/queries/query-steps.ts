import type { Steps } from '@longreach/calendar/steps'

/** Neighbours of equal width together, as the store counts them. */
type Run = { since: number; to: number; width: number }

/** The steps in runs of equal width. */
export function runsOf({ starts, to }: Steps): Run[] {
  const runs: Run[] = []
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? to
    const width = end - start
    const run = runs.at(-1)
    // The last step may be shorter: the range ends within it.
    const fits = run && (run.width === width || (index === starts.length - 1 && width < run.width))
    if (fits) run.to = end
    else runs.push({ since: start, to: end, width })
  }
  return runs
}

/** Finder of the step that a time is in, for times that come in order. */
export function stepFinder({ starts }: Steps): (t: number) => number {
  let at = 0
  return (t) => {
    if (t < (starts[at] ?? Infinity)) at = 0
    while (at + 1 < starts.length && t >= (starts[at + 1] ?? Infinity)) at += 1
    return at
  }
}
