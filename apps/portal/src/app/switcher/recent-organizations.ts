import { inBrowser } from '../../parts/kept/remembered.ts'

const key = 'organizations'
const mostRecent = 12

/** Time of the last visit to each organization in this browser, in ms, by resourceId. */
export const lastUsed = () => inBrowser.get<Record<string, number>>(key, {})

/** Remember that an organization is entered now; the oldest are forgotten. */
export function rememberUse(resourceId: string) {
  const entries = Object.entries({ ...lastUsed(), [resourceId]: Date.now() })
  inBrowser.set(
    key,
    Object.fromEntries(entries.toSorted(([, a], [, b]) => b - a).slice(0, mostRecent)),
  )
}
