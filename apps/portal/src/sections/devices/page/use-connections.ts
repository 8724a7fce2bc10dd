import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../../parts/api/api.ts'
import { useReach } from '../../../parts/session/reach.ts'

/** When a device was there: the newest times, how reliably, and whether its line flaps. */
export function useConnections(deviceId: string) {
  const org = useReach()
  const asked = { params: { org, deviceId }, query: { limit: 1_000 } }
  return useQuery({ ...query(api.platform.connections, asked), refetchInterval: 15_000 })
}
