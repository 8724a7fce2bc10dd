/** Runs when the page has nothing else to do; the answer takes it back. */
export function onIdle(run: () => void) {
  // Not every browser has it.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(run, 1_000)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(run, { timeout: 5_000 })
  return () => cancelIdleCallback(handle)
}
