import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../../parts/api/api.ts'
import { useReach } from '../../../parts/session/reach.ts'

/** Connections of a device: the newest times, the availability, and a warning of frequent losses. */
export function useConnections(deviceId: string) {
  const org = useReach()
  const asked = { params: { org, deviceId }, query: { limit: 1_000 } }
  return useQuery({ ...query(api.platform.connections, asked), refetchInterval: 15_000 })
}
