import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWords } from '@longreach/ui/use-words'
import { api, query } from '../../../parts/api/api.ts'
import { deviceQuery } from '../../../parts/devices/devices.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { useTriggerOrganization } from '../trigger-calls.ts'
import { type TriggerFieldProps, useTriggerField } from './trigger-context.ts'

/** One device, found by its name on the server; none is the device that fired. */
export function DeviceEntry(props: TriggerFieldProps) {
  const t = useWords()
  const { value, set, common } = useTriggerField(props)
  const chosenId = typeof value === 'string' ? value : ''
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, 250)
  const { data } = useQuery(
    query(api.mappings.devices, {
      query: {
        ...useTriggerOrganization(),
        page: 0,
        pageSize: 50,
        ...(search !== '' && { search }),
      },
    }),
  )
  const chosen = useQuery({ ...deviceQuery(useReach(), chosenId), enabled: chosenId !== '' })
  const found = (data?.data ?? []).map(({ deviceId, label }) => ({ value: deviceId, label }))
  const own = { value: chosenId, label: chosen.data?.value.label ?? chosenId }
  const isListed = chosenId === '' || found.some((one) => one.value === chosenId)
  return (
    <Select
      {...common}
      placeholder={t('trigger-editor.deviceThatFired')}
      searchable
      clearable
      nothingFoundMessage={t('trigger-editor.noDeviceFound')}
      data={isListed ? found : [own, ...found]}
      value={chosenId === '' ? null : chosenId}
      filter={({ options }) => options}
      onSearchChange={(next) => setText(next === own.label ? '' : next)}
      onChange={(next) => set(next ?? undefined)}
    />
  )
}
