import { AppError } from './errors.ts'

type TurnLimits = { atOnce: number; mostWaiting: number; longestWaitMs: number }

/** Limits of costly calls of one person: two run at a time, some more wait. */
const turnLimits: TurnLimits = { atOnce: 2, mostWaiting: 30, longestWaitMs: 60_000 }

type Line = { running: number; waiting: Set<() => void> }

/** Queue of costly calls, counted by the caller's key. */
export function createTurns({ atOnce, mostWaiting, longestWaitMs }: TurnLimits = turnLimits) {
  const lines = new Map<string, Line>()

  const release = (key: string, line: Line) => {
    const [next] = line.waiting
    if (next) return next()
    line.running -= 1
    if (line.running === 0) lines.delete(key)
  }
  const once = (key: string, line: Line) => {
    let done = false
    return () => {
      if (!done) release(key, line)
      done = true
    }
  }
  const wait = (line: Line, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', left)
        line.waiting.delete(go)
      }
      const go = () => (end(), resolve())
      const late = () => (end(), reject(tooManyCostlyCalls(line, Math.ceil(longestWaitMs / 1_000))))
      const left = () => (end(), reject(signal.reason as Error))
      const timer = setTimeout(late, longestWaitMs)
      line.waiting.add(go)
      signal.addEventListener('abort', left)
    })

  return {
    /** Waits for a turn; returns the function that ends it. */
    async take(key: string, signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted()
      const line = lines.get(key) ?? { running: 0, waiting: new Set() }
      lines.set(key, line)
      if (line.running < atOnce) line.running += 1
      else if (line.waiting.size >= mostWaiting) throw tooManyCostlyCalls(line, 5)
      else await wait(line, signal)
      return once(key, line)
    },
    /** Number of keys with calls that run. */
    get size() {
      return lines.size
    },
  }
}
export type Turns = ReturnType<typeof createTurns>

function tooManyCostlyCalls({ running, waiting }: Line, retryAfterS: number) {
  const message = `You have ${running} costly calls running and ${waiting.size} waiting. Try again later.`
  return new AppError(429, 'request.too_many_costly', { message, retryAfterS })
}
