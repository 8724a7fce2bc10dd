import type { alarmsContract } from '@longreach/alarms/contract'
import type { Result } from '@longreach/kit/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useReach } from '../session/reach.ts'
import { useMay } from '../session/session.ts'
import { alarmsApi } from './alarm-calls.ts'
import { type DeviceAlarms, deviceAlarms, totalOf } from './device-alarms.ts'

type Counts = Result<(typeof alarmsContract)['endpoints']['severityCountByDevice']>
type Device = { deviceId: string; attributes: Readonly<Record<string, unknown>> }

/** Open alarms by device, of devices of which the person sees some alarms alone: attributes tell nothing of them. */
const limitedAlarmsQuery = (organization: string) =>
  queryOptions({
    queryKey: [alarmsApi.severityCountByDevice.key, organization, 'limited'],
    queryFn: async ({ signal }) => {
      const found = new Map<string, DeviceAlarms>()
      let next: string | undefined
      do {
        const asked = { organization, limited: true, pageSize: 1_000, ...(next && { next }) }
        const page: Counts = await alarmsApi.severityCountByDevice({ query: asked }, { signal })
        for (const [id, counts] of page.data.flatMap((one) => Object.entries(one))) {
          const alarms = totalOf(counts)
          if (alarms !== undefined) found.set(id, alarms)
        }
        next = page.next ?? undefined
      } while (next !== undefined)
      return found
    },
    staleTime: 5_000,
    refetchInterval: 60_000,
  })

/** Open alarms of a device that the person may see, undefined without any; and whether that is known yet. */
export function useDeviceAlarms({ deviceId, attributes }: Device) {
  const isTold = 'alarms' in attributes
  const may = useMay()('alarms:read')
  const { data } = useQuery({ ...limitedAlarmsQuery(useReach()), enabled: may && !isTold })
  return isTold
    ? { alarms: deviceAlarms(attributes), isKnown: true }
    : { alarms: data?.get(deviceId), isKnown: data !== undefined }
}
