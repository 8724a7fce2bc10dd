import type { Live } from './live.ts'
import type { OtherWriters } from './other-writers.ts'
import type { Sealer } from './sealer.ts'
import type { Writer } from './writer.ts'

type UpkeepOptions = {
  live: Live
  sealer: Sealer
  others: OtherWriters
  limits: { sealAt: number; sealAfterMs: number; memory: number }
  now: () => number
  warn: (error: unknown) => void
}
const tickMs = 1000
const manyHeads = 20_000
// A chunk row has a fixed cost, so that with many series it pays to wait for more values of each.
const worthAChunk = 128
// Share of the memory that may be filled before sealing; the rest takes new values meanwhile.
const mostWaiting = 0.6
// Shortest time in ms of values that are sealed because another process asked for too many at once.
const leastAskedMs = 10_000

/** Decides when to seal and merge, one task at a time, and notices writers that start and end. */
export class Upkeep {
  private timer: NodeJS.Timeout | undefined
  private lane: Promise<unknown> = Promise.resolve()
  private busy = false
  private again = false
  private failed = false
  private stopped = false
  /** True when another process asked for more values than an answer takes. */
  private asked = false
  private writer: Writer | undefined
  private readonly options: UpkeepOptions
  constructor(options: UpkeepOptions) {
    this.options = options
  }

  start(writer: Writer) {
    this.writer = writer
    this.timer = setInterval(() => {
      this.failed = false
      this.wake(true)
    }, tickMs)
    this.timer.unref()
    this.wake()
  }

  stop() {
    this.stopped = true
    clearInterval(this.timer)
  }

  /** Runs `work` after the present task, without others that move values beside it. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.lane.then(work)
    this.lane = result.catch(() => undefined) // the caller gets the error
    return result
  }

  /** Seals what is in memory soon: another process asked for more of it than an answer takes. */
  sealAsked() {
    this.asked = true
    this.wake()
  }

  /** Checks for work. After a failure the next tick tries again. */
  wake(tick = false) {
    if (this.stopped || this.failed || !this.writer) return
    if (this.busy) {
      this.again = true
      return
    }
    if (!tick && !this.isDue()) return
    this.busy = true
    void this.alone(() => this.work(tick))
      .catch((error: unknown) => {
        this.failed = true
        this.options.warn(error)
      })
      .finally(() => {
        this.busy = false
        if (!this.again) return
        this.again = false
        this.wake()
      })
  }

  private isDue() {
    const { live, limits, now } = this.options
    const { weight, since, heads, series } = live.open
    const worth = Math.min(series.length * worthAChunk, limits.memory * mostWaiting)
    const enough = Math.max(limits.sealAt, worth)
    const blocks = heads.reduce((sum, { from, to }) => sum + to - from + 1, 0)
    return (
      live.closing !== undefined ||
      weight >= enough ||
      blocks >= manyHeads ||
      now() - since >= (this.asked ? leastAskedMs : limits.sealAfterMs)
    )
  }

  private async work(tick: boolean) {
    if (tick) await this.lookAround()
    while (!this.stopped) {
      if (this.isDue()) await this.seal()
      else if (!(await this.options.sealer.mergeSome())) return
    }
  }

  private async lookAround() {
    const { writer } = this
    const { others } = this.options
    await writer?.keepClaim()
    const isLeft = await others.look(writer?.id ?? 0)
    if (!isLeft && !writer?.isAdopting) return
    await writer?.adopt()
    await others.look(writer?.id ?? 0)
  }

  private async seal() {
    this.asked = false
    await this.options.sealer.seal()
    this.writer?.flush()
  }

  /** Seals everything that is durable, and merges what can be merged. */
  sealNow() {
    return this.alone(async () => {
      if (this.options.live.closing) await this.seal()
      await this.seal()
      while (await this.options.sealer.mergeSome());
    })
  }
}
