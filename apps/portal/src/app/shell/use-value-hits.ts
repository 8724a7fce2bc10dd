import { IconActivity } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, query } from '../../parts/api/api.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useSession } from '../../parts/session/session.ts'
import { shortPath } from '../../parts/devices/tags.ts'
import { useValueText } from '../../parts/devices/value-text.ts'
import type { Entry } from './palette-entry.ts'

const mostValues = 6

/** Data points whose path or device fits a text, with their newest values; to be written where that is asked for. */
export function useValueHits(search: string, writing: boolean) {
  const valueText = useValueText()
  const navigate = useNavigate()
  const org = useReach()
  const { permissions } = useSession()
  const wanted = search.length > 1 && permissions.has('devices:read')
  const { data, isFetching } = useQuery({
    ...query(api.platform.searchValues, {
      params: { org },
      query: { search, limit: mostValues, newest: true, ...(writing && { writable: true }) },
    }),
    enabled: wanted,
    placeholderData: keepPreviousData,
  })
  const entries = (wanted ? (data ?? []) : []).map((one): Entry => {
    const { deviceId, deviceLabel, modelPath, label, unit, last } = one
    const show = last && valueText.text(last.v, unit)
    const to = { tab: 'data', ...(writing ? { write: modelPath } : { tags: modelPath }) }
    return {
      key: `${deviceId} ${modelPath}`,
      label: label ?? shortPath(modelPath),
      note: `${deviceLabel} · ${shortPath(modelPath)}`,
      ...(show !== undefined && { value: show }),
      icon: IconActivity,
      run: () => void navigate({ to: `/devices/${deviceId}`, search: to }),
    }
  })
  return { entries, searching: wanted && isFetching }
}
