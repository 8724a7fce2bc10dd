import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../parts/api/api.ts'
import { deviceQuery } from '../../parts/devices/devices.ts'
import { useReach } from '../../parts/session/reach.ts'

/** Devices whose name or id has what is typed, with the chosen one in any case. */
export function useDeviceOptions(chosen?: string) {
  const organization = useReach()
  const [text, setText] = useState('')
  const known = useQuery({
    ...deviceQuery(organization, chosen ?? ''),
    enabled: chosen !== undefined,
  })
  const label = known.data?.value.label
  const [search] = useDebouncedValue(text === label ? '' : text, 250)
  const asked = { organization, page: 0, pageSize: 50, ...(search !== '' && { search }) }
  const { data } = useQuery({
    ...query(api.mappings.devices, { query: asked }),
    placeholderData: keepPreviousData,
  })
  const found = (data?.data ?? []).map((one) => ({ value: one.deviceId, label: one.label }))
  const missing = chosen !== undefined && !found.some(({ value }) => value === chosen)
  const options = missing ? [{ value: chosen, label: label ?? chosen }, ...found] : found
  return { options, setText }
}
