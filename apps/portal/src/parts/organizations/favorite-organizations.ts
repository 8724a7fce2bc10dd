import { useSyncExternalStore } from 'react'
import { inBrowser } from '../kept/remembered.ts'
import type { Organization } from '../session/session.ts'

const key = 'favorites'
const none: Organization[] = []
const listeners = new Set<() => void>()
let kept: Organization[] | undefined

const read = () => (kept ??= inBrowser.get(key, none))

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The organizations that the person marked in this browser. */
export const useFavorites = () => useSyncExternalStore(subscribe, read)

/** Mark an organization, or take the mark away. */
export function toggleFavorite(organization: Organization) {
  const { resourceId } = organization
  const without = read().filter((one) => one.resourceId !== resourceId)
  kept = without.length < read().length ? without : [...without, organization]
  inBrowser.set(key, kept)
  for (const listener of listeners) listener()
}
