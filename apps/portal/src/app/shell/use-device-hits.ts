import { IconCpu } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, query } from '../../parts/api/api.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useSession } from '../../parts/session/session.ts'
import type { Entry } from './palette-entry.ts'

const mostDevices = 6

/** The devices whose name fits a text, for the palette; none without the right to read devices. */
export function useDeviceHits(search: string) {
  const navigate = useNavigate()
  const org = useReach()
  const { permissions } = useSession()
  const wanted = search.length > 1 && permissions.has('devices:read')
  const { data, isFetching } = useQuery({
    ...query(api.mappings.devices, { query: { organization: org, search, pageSize: mostDevices } }),
    enabled: wanted,
    placeholderData: keepPreviousData,
  })
  const entries = (wanted ? (data?.data ?? []) : []).map(
    ({ deviceId, label, modelName }): Entry => ({
      key: deviceId,
      label,
      note: modelName ?? '',
      icon: IconCpu,
      run: () => void navigate({ to: `/devices/${deviceId}` }),
    }),
  )
  return { entries, searching: wanted && isFetching }
}
