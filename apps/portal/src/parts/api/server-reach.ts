import { useSyncExternalStore } from 'react'
import { useIntl } from 'react-intl'
import { connection } from './connection.ts'

/** Reachability of the server. */
export const useServerReach = () => useSyncExternalStore(connection.subscribe, connection.state)

/** Time of the last answer, as text; undefined while the server answers. */
export function useAsOf() {
  const { formatTime } = useIntl()
  const reach = useServerReach()
  if (reach.reachable) return undefined
  return formatTime(reach.lastAnswerAt, { hour: 'numeric', minute: '2-digit', second: '2-digit' })
}
