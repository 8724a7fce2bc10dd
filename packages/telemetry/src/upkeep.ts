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
// A chunk row has a fixed cost: with very many series it pays to wait for more of each.
const worthAChunk = 128
// Of the memory allowed; the rest takes what comes while sealing goes on.
const mostWaiting = 0.6

/** Decides when to seal and merge, one thing at a time, and notices writers that come and go. */
export class Upkeep {
  private timer: NodeJS.Timeout | undefined
  private lane: Promise<unknown> = Promise.resolve()
  private busy = false
  private again = false
  private failed = false
  private stopped = false
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

  /** Run after whatever runs now, with nothing beside it that moves values. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.lane.then(work)
    this.lane = result.catch(() => undefined) // whoever called hears of it
    return result
  }

  /** Look whether there is something to do. After a failure the next tick tries again. */
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
      now() - since >= limits.sealAfterMs
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
    const { others } = this.options
    await this.writer?.keepClaim()
    if (!(await others.look(this.writer?.id ?? 0))) return
    await this.writer?.adopt()
    await others.look(this.writer?.id ?? 0)
  }

  private async seal() {
    await this.options.sealer.seal()
    this.writer?.flush()
  }

  /** Seal everything that is durable now, and merge what can be merged. */
  sealNow() {
    return this.alone(async () => {
      if (this.options.live.closing) await this.seal()
      await this.seal()
      while (await this.options.sealer.mergeSome());
    })
  }
}
