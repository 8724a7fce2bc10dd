/** Time in ms between two notes of progress without anything else to write. */
const everyMs = 1_000

/** Blocks of values that this process has judged, of which it notes the newest. */
export class Progress {
  /** Newest block that was taken. */
  newest = 0
  /** Newest block that is noted as judged. */
  written = 0
  private noted = 0
  private readonly now: () => Date
  constructor(now: () => Date) {
    this.now = now
  }

  taken(version: number) {
    this.newest = Math.max(this.newest, version)
  }

  get isBehind() {
    return this.written < this.newest
  }

  /** Block to be noted as judged: one before those that wait. Undefined when it is not time yet. */
  due(waiting: Iterable<{ version: number }>): number | undefined {
    if (!this.isBehind || this.now().getTime() < this.noted + everyMs) return undefined
    let until = this.newest
    for (const { version } of waiting) until = Math.min(until, version - 1)
    return until > this.written ? until : undefined
  }

  saved(version: number | undefined) {
    if (version === undefined) return
    this.written = Math.max(this.written, version)
    this.noted = this.now().getTime()
  }

  /** Lets the next round note it at once. */
  hurry() {
    this.noted = 0
  }
}
