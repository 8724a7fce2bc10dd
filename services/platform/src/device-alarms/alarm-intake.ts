import { refusal } from '@longreach/device-protocol/refusals'

/** Changes of alarms that a device may report in a second, and at once after a while. */
export const alarmRate = { perSecond: 50, burst: 500 }

type Waiting<T> = { name: string; report: T; done: PromiseWithResolvers<void> }
type Options<T> = {
  /** Writes reports in their order; they are durable when it ends. */
  write: (reports: readonly T[]) => Promise<void>
  /** Called for each report that a newer one of the same alarm has replaced. */
  replaced: (report: T, reason: string) => void
  clock?: () => number
}

/**
 * Intake of the alarm messages of one device: in order, many in one transaction. Of a device that changes its
 * alarms too often the newest state of each alarm is kept.
 */
export class AlarmIntake<T> {
  private waiting: Waiting<T>[] = []
  private isWriting = false
  private tokens = alarmRate.burst
  private filledAt: number
  private readonly options: Options<T>
  private readonly clock: () => number

  constructor(options: Options<T>) {
    this.options = options
    this.clock = options.clock ?? Date.now
    this.filledAt = this.clock()
  }

  /** Takes a report of an alarm; ends when it, or a newer one of the same alarm, is durable. */
  add(name: string, report: T): Promise<void> {
    const done = Promise.withResolvers<void>()
    this.waiting.push({ name, report, done })
    if (!this.isWriting) void this.writeAll()
    return done.promise
  }

  private async writeAll() {
    this.isWriting = true
    while (this.waiting.length > 0) {
      const allowed = this.takeTokens(this.waiting.length)
      if (allowed === 0) {
        this.keepNewest()
        await new Promise((go) => setTimeout(go, 1_000 / alarmRate.perSecond).unref())
        continue
      }
      const batch = this.waiting.splice(0, allowed)
      try {
        await this.options.write(batch.map(({ report }) => report))
        for (const { done } of batch) done.resolve()
      } catch (error) {
        for (const { done } of batch) done.reject(error)
      }
    }
    this.isWriting = false
  }

  private takeTokens(wanted: number) {
    const now = this.clock()
    const fresh = (Math.max(0, now - this.filledAt) * alarmRate.perSecond) / 1_000
    this.tokens = Math.min(alarmRate.burst, this.tokens + fresh)
    this.filledAt = now
    const taken = Math.min(wanted, Math.floor(this.tokens))
    this.tokens -= taken
    return taken
  }

  /** Leaves the newest report of each alarm; one that goes ends with the newer one. */
  private keepNewest() {
    const newest = new Map(this.waiting.map((one) => [one.name, one]))
    const kept = this.waiting.filter((one) => newest.get(one.name) === one)
    for (const one of this.waiting) {
      const newer = newest.get(one.name)
      if (!newer || newer === one) continue
      newer.done.promise.then(one.done.resolve, one.done.reject)
      this.options.replaced(one.report, refusal('alarmTooOften', { most: alarmRate.perSecond }))
    }
    this.waiting = kept
  }
}
