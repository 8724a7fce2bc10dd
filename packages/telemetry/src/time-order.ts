/**
 * Rows in order of time; of several at one time the last to arrive. Sorted runs are merged, so that
 * values in a few such runs cost one pass.
 */
export function newestRows(t: Float64Array): Int32Array {
  let order = Int32Array.from(t.keys())
  let spare = new Int32Array(t.length)
  let ends = runEnds(t)
  while (ends.length > 1) {
    const next: number[] = []
    let from = 0
    for (let at = 0; at < ends.length; at += 2) {
      const middle = ends[at] ?? t.length
      const to = ends[at + 1] ?? middle
      mergeRuns({ t, order, into: spare }, from, middle, to)
      next.push(to)
      from = to
    }
    ends = next
    ;[order, spare] = [spare, order]
  }
  return withoutOlder(t, order)
}

/** End of each run of rows with non-decreasing times. */
function runEnds(t: Float64Array) {
  const ends: number[] = []
  for (let row = 1; row < t.length; row += 1) if ((t[row] ?? 0) < (t[row - 1] ?? 0)) ends.push(row)
  ends.push(t.length)
  return ends
}

type Merge = { t: Float64Array; order: Int32Array; into: Int32Array }

/** Merges `from` to `middle` with `middle` to `to`; at equal times the first run goes first. */
function mergeRuns({ t, order, into }: Merge, from: number, middle: number, to: number) {
  let left = from
  let right = middle
  for (let at = from; at < to; at += 1) {
    const [a, b] = [order[left] ?? 0, order[right] ?? 0]
    const takesLeft = right >= to || (left < middle && (t[a] ?? 0) <= (t[b] ?? 0))
    into[at] = takesLeft ? a : b
    if (takesLeft) left += 1
    else right += 1
  }
}

function withoutOlder(t: Float64Array, order: Int32Array) {
  let count = 0
  for (let at = 0; at < order.length; at += 1) {
    const row = order[at] ?? 0
    const next = order[at + 1]
    if (next !== undefined && t[next] === t[row]) continue
    order[count] = row
    count += 1
  }
  return order.subarray(0, count)
}
