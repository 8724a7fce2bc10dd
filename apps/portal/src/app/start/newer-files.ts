import { inTab } from '../../parts/kept/remembered.ts'

const listeners = new Set<() => void>()
let gone = false

/**
 * Files of this portal that a reachable server no longer has, as it was upgraded since the page was loaded.
 * People can continue, and are asked to reload before an action that needs the files.
 */
export const newerFiles = {
  state: () => gone,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  missed: () => {
    gone = true
    for (const listener of listeners) listener()
  },
}

/** Opens the page of the address anew, with the files of now; a second time it fails with `cause`. */
export function openAnew(cause: unknown): Promise<never> {
  if (inTab.get('openedAnew') === location.href) return Promise.reject(cause)
  inTab.set('openedAnew', location.href)
  location.reload()
  return new Promise<never>(() => undefined) // the browser is on its way
}
