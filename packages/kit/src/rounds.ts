import type { Running } from './service.ts'

/**
 * Repeats work now and every `everyMs`, one run at a time. Closing waits for the present run. A
 * failed run is reported, and the next one follows as usual.
 */
export function inRounds(
  everyMs: number,
  round: () => Promise<unknown>,
  failed: (error: unknown) => void,
): Running {
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
  const timer = setInterval(turn, everyMs)
  turn()
  return {
    async close() {
      clearInterval(timer)
      await busy
    },
  }
}
