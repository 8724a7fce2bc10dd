/**
 * Queue of work for many devices, of which so much runs at a time: more would only wait for the connections of the
 * database, and keep calls of people waiting there.
 */
export function createWorkQueue(atOnce: number) {
  const waiting = new Set<() => void>()
  let running = 0
  const release = () => {
    const [next] = waiting
    if (!next) {
      running -= 1
      return
    }
    waiting.delete(next)
    next()
  }
  return {
    /** Runs work when its turn comes, in the order of the calls; it is told how long it has waited. */
    async run<T>(work: (waitedMs: number) => Promise<T>): Promise<T> {
      let waitedMs = 0
      if (running < atOnce) running += 1
      else {
        const began = performance.now()
        await new Promise<void>((go) => waiting.add(go))
        waitedMs = performance.now() - began
      }
      try {
        return await work(waitedMs)
      } finally {
        release()
      }
    },
  }
}
