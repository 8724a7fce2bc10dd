import { useWords } from '@longreach/ui/use-words'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../../parts/api/api.ts'
import { useSession } from '../../../parts/session/session.ts'

type Props = {
  value: number | undefined
  onChange: (group: number | undefined) => void
  error?: string | undefined
  /** Its list belongs to the popover that it is in. */
  within?: boolean
  /** The first field of its dialog. */
  first?: boolean
}

/** A device group that people fill, found by its name on the server. */
export function GroupSelect({ value, onChange, error, within = false, first = false }: Props) {
  const t = useWords()
  const org = useSession().organization.resourceId
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, 250)
  const asked = { pageSize: 100, type: 'STANDARD' as const, ...(search !== '' && { search }) }
  const { data } = useQuery({
    ...query(api.core.securityPolicies, { params: { org }, query: asked }),
    placeholderData: keepPreviousData,
  })
  const found = (data?.content ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const chosen = value === undefined ? null : String(value)
  const missing = chosen !== null && !found.some((one) => one.value === chosen)
  return (
    <Select
      label={t('devices.group')}
      placeholder={within ? t('devices.any') : undefined}
      searchable
      clearable
      comboboxProps={{ withinPortal: !within }}
      openOnFocus={!within && !first}
      {...(first && { 'data-autofocus': true })}
      error={error}
      value={chosen}
      data={missing ? [{ value: chosen, label: chosen }, ...found] : found}
      onSearchChange={(typed) => setText(found.some(({ label }) => label === typed) ? '' : typed)}
      nothingFoundMessage={t('devices.noGroupFound')}
      onChange={(id) => onChange(id === null ? undefined : Number(id))}
    />
  )
}
