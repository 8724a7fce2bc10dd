type State = { online: boolean; nextTryAt: number | undefined }

const first = 2_000
const longest = 30_000
const listeners = new Set<() => void>()
let state: State = { online: true, nextTryAt: undefined }
let waitMs = first
let timer: ReturnType<typeof setTimeout> | undefined

const become = (next: State) => {
  state = next
  for (const listener of listeners) listener()
}

/** Whether the server answers, as the last calls found; asks again by itself while it does not. */
export const connection = {
  state: () => state,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  reached: () => {
    clearTimeout(timer)
    waitMs = first
    if (!state.online) become({ online: true, nextTryAt: undefined })
  },
  lost: () => {
    if (!state.online) return
    plan()
  },
  tryNow: () => {
    clearTimeout(timer)
    void knock()
  },
}

function plan() {
  become({ online: false, nextTryAt: Date.now() + waitMs })
  clearTimeout(timer)
  timer = setTimeout(() => void knock(), waitMs)
  waitMs = Math.min(waitMs * 2, longest)
}

async function knock() {
  try {
    await fetch('/favicon.svg', {
      method: 'HEAD',
      cache: 'no-store',
      signal: AbortSignal.timeout(5_000),
    })
    connection.reached()
  } catch {
    plan() // still away: the banner says so
  }
}

if (typeof window !== 'undefined') {
  window.addEventListener('offline', () => connection.lost())
  window.addEventListener('online', () => connection.tryNow())
}
