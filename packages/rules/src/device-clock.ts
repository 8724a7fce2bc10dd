/** Number of lags of which the spread is known. */
const keptLags = 64
/** Largest spread that is waited for (ms). */
const mostSpread = 5_000
/** Values further ahead of the server's clock (ms) wait for their time. */
const mostAhead = 60_000

/**
 * Clock of a device, from the times of its values: that of the newest, the time since it arrived,
 * less the spread of the latest lags. A clock that is wrong by an hour has lags of an hour, and no
 * spread. All times are ms since 1970; `now` is the server's.
 */
export class DeviceClock {
  private newest: number | undefined
  private arrived = 0
  private spread = 0
  /** Least of the lags that are kept. */
  private least = Infinity
  private readonly lags = new Float64Array(keptLags)
  private count = 0

  /** Takes the time of a value that arrived; not of one that waits. */
  take(t: number, now: number): void {
    const lag = now - t
    const place = this.count % keptLags
    const gone = this.count < keptLags ? Infinity : (this.lags[place] ?? lag)
    this.lags[place] = lag
    this.count += 1
    if (lag <= this.least) this.least = lag
    else if (gone <= this.least) this.least = this.leastKept()
    const { least } = this
    const decayed = this.spread * (1 - 1 / keptLags)
    this.spread = Math.min(mostSpread, Math.max(lag - least, decayed))
    if (this.newest === undefined || t > this.newest) {
      this.newest = t
      this.arrived = now
    }
  }

  private leastKept() {
    let least = Infinity
    const kept = Math.min(this.count, keptLags)
    for (let index = 0; index < kept; index += 1) {
      least = Math.min(least, this.lags[index] ?? Infinity)
    }
    return least
  }

  /** Time of the device's clock; undefined before its first value. */
  at(now: number): number | undefined {
    if (this.newest === undefined) return undefined
    return Math.floor(this.newest + Math.max(0, now - this.arrived) - this.spread)
  }

  /** Time of the server at which the device's clock shows `t`, as known now. */
  serverTimeOf(t: number): number | undefined {
    if (this.newest === undefined) return undefined
    return Math.ceil(this.arrived + t - this.newest + this.spread)
  }
}

/** True for a value that has to wait for its time: it neither counts yet nor moves the clock. */
export const isAhead = (t: number, now: number) => t > now + mostAhead

/** Values that are ahead of the server's clock, in order of their times. */
export class WaitingValues<T> {
  private readonly waiting: { t: number; value: T }[] = []
  private readonly most: number
  constructor(most = 10_000) {
    this.most = most
  }

  get size() {
    return this.waiting.length
  }

  /** Time of the first one. */
  get next(): number | undefined {
    return this.waiting[0]?.t
  }

  /** Keeps a value; false when there are too many, and the value is not kept. */
  add(t: number, value: T): boolean {
    if (this.waiting.length >= this.most) return false
    let [low, high] = [0, this.waiting.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.waiting[middle]?.t ?? 0) <= t) low = middle + 1
      else high = middle
    }
    this.waiting.splice(low, 0, { t, value })
    return true
  }

  /** Values whose time has come, no longer kept. */
  take(now: number): T[] {
    const rest = this.waiting.findIndex(({ t }) => t > now)
    const due = this.waiting.splice(0, rest === -1 ? this.waiting.length : rest)
    return due.map(({ value }) => value)
  }
}
