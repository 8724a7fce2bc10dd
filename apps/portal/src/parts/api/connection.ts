/** Reachability of the server; while it does not answer, the times of the last answer and the next try, in ms. */
type Reach = { reachable: true } | { reachable: false; lastAnswerAt: number; nextTryAt: number }

const firstRetryMs = 2_000
const longestRetryMs = 30_000
const timeoutMs = 5_000
const silenceMs = 30_000
const reachableState: Reach = { reachable: true }
const listeners = new Set<() => void>()
let state: Reach = reachableState
let lastAnswerAt = Date.now()
let waitMs = firstRetryMs
let timer: ReturnType<typeof setTimeout> | undefined
let asked: Promise<boolean> | undefined

const become = (next: Reach) => {
  state = next
  for (const listener of listeners) listener()
}

/**
 * The one account of whether the server answers, for calls, live values and files alike. It is told
 * what they find, and while the server is away it alone asks, and says when it asks next.
 */
export const connection = {
  state: () => state,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  reached: () => {
    lastAnswerAt = Date.now()
    if (state.reachable) return
    clearTimeout(timer)
    waitMs = firstRetryMs
    become(reachableState)
  },
  lost: () => {
    if (state.reachable) plan()
  },
  /** Somebody got no answer: is it the server that is away? Asked once for all who doubt at the same time. */
  prove: async () => {
    if (!state.reachable) return false
    asked ??= answers().finally(() => (asked = undefined))
    const reachable = await asked
    if (reachable) connection.reached()
    else connection.lost()
    return reachable
  },
  tryNow: () => {
    if (state.reachable) return
    clearTimeout(timer)
    void tryAgain()
  },
  /** Resolves when the server answers; at once where it does. */
  whenReachable: () =>
    new Promise<void>((resolve) => {
      if (state.reachable) return resolve()
      const stop = connection.subscribe(() => {
        if (!state.reachable) return
        stop()
        resolve()
      })
    }),
}

function plan() {
  clearTimeout(timer)
  const since = state.reachable ? lastAnswerAt : state.lastAnswerAt
  become({ reachable: false, lastAnswerAt: since, nextTryAt: Date.now() + waitMs })
  timer = setTimeout(() => void tryAgain(), waitMs)
  waitMs = Math.min(waitMs * 2, longestRetryMs)
}

async function tryAgain() {
  if (await answers()) connection.reached()
  else plan()
}

/** True for an answer of a proxy whose server does not answer. */
export const answeredBefore = ({ status, headers }: Response) =>
  status === 502 ||
  status === 504 ||
  (status === 503 && !(headers.get('content-type') ?? '').includes('json'))

async function answers() {
  try {
    const answer = await fetch('/favicon.svg', {
      method: 'HEAD',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return !answeredBefore(answer)
  } catch {
    return false // told by the state, and shown by the banner
  }
}

if (typeof window !== 'undefined') {
  // A page on which nothing happens must notice too that what it shows is no longer known.
  setInterval(() => {
    const silent = Date.now() - lastAnswerAt > silenceMs
    if (silent && document.visibilityState === 'visible') void connection.prove()
  }, silenceMs / 2)
  window.addEventListener('offline', () => connection.lost())
  window.addEventListener('online', () => connection.tryNow())
}
