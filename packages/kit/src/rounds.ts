const intervals = { second: 1_000, minute: 60_000, hour: 3_600_000 }
export type Interval = keyof typeof intervals

/** Names of the intervals at which parts repeat work. */
export const intervalNames = Object.keys(intervals) as Interval[] // the keys of a literal

/** Milliseconds in which wishes for a run gather, and the transaction ends in which one is told. */
const gatherMs = 10

/**
 * Repeats work now and at every interval (a name, or milliseconds), one run at a time; `soon` asks for one before
 * the interval is over. Closing waits for the present run. A failed run is reported, and the next one follows as
 * usual.
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
  let asked: NodeJS.Timeout | undefined
  let isClosed = false
  const timer = setInterval(turn, typeof interval === 'number' ? interval : intervals[interval])
  turn()
  return {
    soon() {
      if (isClosed) return
      asked ??= setTimeout(() => {
        asked = undefined
        turn()
      }, gatherMs)
    },
    async close() {
      isClosed = true
      clearInterval(timer)
      clearTimeout(asked)
      await busy
    },
  }
}

/**
 * Signal from one part to others of the same process that there is work for their rounds. It may be lost with the
 * process, or come before the work can be read: the interval of the rounds finds it then.
 */
export function createSignal() {
  const takers = new Set<() => void>()
  return {
    give() {
      for (const taker of takers) taker()
    },
    take(taker: () => void) {
      takers.add(taker)
    },
  }
}
export type Signal = ReturnType<typeof createSignal>
