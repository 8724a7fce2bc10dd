import type { Running } from './service.ts'

/**
 * Work that comes round: now and every `everyMs`, one round after another until it is closed, which
 * waits for the round under way. A round that fails is told, and the next one comes all the same.
 */
export function inRounds(
  everyMs: number,
  round: () => Promise<unknown>,
  failed: (error: unknown) => void,
): Running {
  let busy = Promise.resolve()
  let waiting = false
  const turn = () => {
    // One that waits is enough, however long the round before it takes.
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
