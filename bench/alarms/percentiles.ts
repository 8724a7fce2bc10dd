/** Time in ms of each of so many runs of a work, after some that do not count. */
export async function timesOf(runs: number, work: (run: number) => Promise<unknown>, before = 5) {
  for (let run = 0; run < before; run += 1) await work(run)
  const taken: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const begun = performance.now()
    await work(run)
    taken.push(performance.now() - begun)
  }
  return taken
}

/** Middle, 99th percentile and longest of some times. */
export function percentilesOf(times: readonly number[]) {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), longest: at(1) }
}
