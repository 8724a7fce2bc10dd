const intervals = { second: 1_000, minute: 60_000, hour: 3_600_000 }
export type Interval = keyof typeof intervals

/** Names of the intervals at which parts repeat work. */
export const intervalNames = Object.keys(intervals) as Interval[] // the keys of a literal

/**
 * Repeats work now and at every interval (a name, or milliseconds), one run at a time. Closing waits
 * for the present run. A failed run is reported, and the next one follows as usual.
 */
export function startRounds(
  interval: Interval | number,
  round: () => Promise<unknown>,
  failed: (error: unknown) => void,
) {
  let busy = Promise.resolve()
  let waiting = false
  const turn = () => {
    // At most one run waits, however long the present one takes.
    if (waiting) return
    waiting = true
    busy = busy
      .then(() => {
        waiting = false
        return round()
      })
      .then(() => undefined, failed)
  }
  const timer = setInterval(turn, typeof interval === 'number' ? interval : intervals[interval])
  turn()
  return {
    async close() {
      clearInterval(timer)
      await busy
    },
  }
}
