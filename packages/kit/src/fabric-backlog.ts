type Heard = { frame: Uint8Array; subject: string }

/** Most that waits for one hearer. */
export type BacklogLimit = { messages: number; bytes: number }

type Options = {
  limit: BacklogLimit
  /** Never rejects. */
  take: (heard: Heard) => Promise<void> | void
  /** Called for each message that had to go. */
  dropped: () => void
}

/**
 * Messages that wait for a hearer, taken one after the other. When more come than fit, the oldest
 * are dropped.
 */
export function createBacklog({ limit, take, dropped }: Options) {
  let waiting: Heard[] = []
  let next = 0
  let bytes = 0
  let isTaking = false

  const shift = () => {
    const heard = waiting[next]
    if (!heard) return undefined
    next += 1
    bytes -= heard.frame.length
    if (next > 1_000 && next * 2 > waiting.length) {
      waiting = waiting.slice(next)
      next = 0
    }
    return heard
  }
  const takeAll = async () => {
    for (let heard = shift(); heard; heard = shift()) {
      const taken = take(heard)
      if (taken) await taken
    }
    waiting = []
    next = 0
    isTaking = false
  }
  return {
    push(heard: Heard) {
      waiting.push(heard)
      bytes += heard.frame.length
      while (waiting.length - next > limit.messages || bytes > limit.bytes) {
        shift()
        dropped()
      }
      if (isTaking) return
      isTaking = true
      queueMicrotask(() => void takeAll())
    },
    /** Forgets what waits. */
    clear() {
      waiting = []
      next = 0
      bytes = 0
    },
  }
}
