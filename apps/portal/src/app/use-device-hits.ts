import { IconCpu } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, query } from '../lib/api.ts'
import { useSession } from '../lib/session.ts'

const most = 6

/** The devices whose name fits a text, for the palette; none without the right to read devices. */
export function useDeviceHits(text: string) {
  const navigate = useNavigate()
  const { organization, permissions } = useSession()
  const search = text.trim()
  const { data } = useQuery({
    ...query(api.mappings.devices, {
      query: { organization: organization.resourceId, search, pageSize: most },
    }),
    enabled: search.length > 1 && permissions.has('devices:read'),
    placeholderData: (before) => before,
  })
  if (search.length < 2 || data === undefined) return []
  return data.data.map(({ deviceId, label, modelName }) => ({
    key: deviceId,
    label,
    note: modelName ?? deviceId,
    icon: IconCpu,
    run: () => void navigate({ to: `/devices/${deviceId}` }),
  }))
}
