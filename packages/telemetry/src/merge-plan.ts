import { mostInChunk, smallChunk } from './cut.ts'

type Extent = { t0: number; t1: number; n: number }
/** Number of small chunks in a row that are merged; fewer would rewrite the values too often. */
export const manySmall = 8

/**
 * Groups of chunks to merge, from a series' chunks in order of `t0`: overlapping ones, and small
 * neighbours.
 */
export function mergePlan<T extends Extent>(chunks: T[], enough = manySmall): T[][] {
  const plan: T[][] = []
  let small: T[] = []
  const close = () => {
    if (small.length >= enough) plan.push(small)
    small = []
  }
  for (const group of overlapping(chunks)) {
    const [only] = group
    if (group.length === 1 && only && only.n < smallChunk) {
      if (small.reduce((sum, { n }) => sum + n, only.n) > mostInChunk) close()
      small.push(only)
      continue
    }
    close()
    if (group.length > 1) plan.push(group)
  }
  close()
  return plan
}

/** Groups of chunks, in order of `t0`, in which each overlaps one before it. */
function overlapping<T extends Extent>(chunks: T[]): T[][] {
  const groups: T[][] = []
  let end = -Infinity
  for (const chunk of chunks) {
    const group = groups.at(-1)
    if (group && chunk.t0 <= end) group.push(chunk)
    else groups.push([chunk])
    end = Math.max(end, chunk.t1)
  }
  return groups
}
