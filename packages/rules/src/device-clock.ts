/** Number of lags of which the spread is known. */
const keptLags = 64
/** Largest spread that is waited for (ms). */
const mostSpread = 5_000
/** Places of its numbers; lags follow. */
const places = { newest: 0, arrived: 1, spread: 2, least: 3, count: 4, lags: 5 } as const
/** Values further ahead of the server's clock (ms) wait for their time. */
const mostAhead = 60_000

/**
 * Clock of a device, from the times of its values: that of the newest, the time since it arrived,
 * less the spread of the latest lags. A clock that is wrong by an hour has lags of an hour, and no
 * spread. All times are ms since 1970; `now` is the server's.
 */
export class DeviceClock {
  /** All numbers in one list, lags at its end, so that a value touches little memory. */
  private readonly numbers: number[] = Array.from({ length: places.lags }, () => 0.5)

  constructor() {
    const { numbers } = this
    numbers[places.newest] = NaN
    numbers[places.spread] = 0
    numbers[places.least] = Infinity
    numbers[places.count] = 0
  }

  /** Takes the time of a value that arrived; not of one that waits. */
  take(t: number, now: number): void {
    const { numbers } = this
    const lag = now - t
    const count = numbers[places.count] ?? 0
    const place = places.lags + (count % keptLags)
    const gone = count < keptLags ? Infinity : (numbers[place] ?? lag)
    numbers[place] = lag
    numbers[places.count] = count + 1
    let least = numbers[places.least] ?? lag
    if (lag <= least) least = lag
    else if (gone <= least) least = this.leastKept()
    numbers[places.least] = least
    const decayed = (numbers[places.spread] ?? 0) * (1 - 1 / keptLags)
    numbers[places.spread] = Math.min(mostSpread, Math.max(lag - least, decayed))
    // Not a number before the first value.
    if (t <= (numbers[places.newest] ?? NaN)) return
    numbers[places.newest] = t
    numbers[places.arrived] = now
  }

  private leastKept() {
    const { numbers } = this
    let least = Infinity
    for (let place: number = places.lags; place < numbers.length; place += 1) {
      least = Math.min(least, numbers[place] ?? Infinity)
    }
    return least
  }

  /** Time of the device's clock; undefined before its first value. */
  at(now: number): number | undefined {
    const [newest = NaN, arrived = 0, spread = 0] = this.numbers
    if (Number.isNaN(newest)) return undefined
    return Math.floor(newest + Math.max(0, now - arrived) - spread)
  }

  /** Time of the server at which the device's clock shows `t`, as known now. */
  serverTimeOf(t: number): number | undefined {
    const [newest = NaN, arrived = 0, spread = 0] = this.numbers
    if (Number.isNaN(newest)) return undefined
    return Math.ceil(arrived + t - newest + spread)
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
