import { useWords } from '@longreach/ui/use-words'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../parts/api/api.ts'
import { useReach } from '../../parts/session/reach.ts'
import classes from './devices.module.css'

type SelectProps = {
  value: string | null
  /** Name of the value, when it is not on the first page. */
  named?: string | null
  /** The first field of its dialog. */
  first?: boolean
  onChange: (presetId: string | null) => void
}

/** A preset of the organization, found by its name on the server. */
export function PresetSelect({ value, named, first = false, onChange }: SelectProps) {
  const t = useWords()
  const { options, fetching, setText } = usePresets(value, named)
  return (
    <Select
      // It is not opened over its dialog before anybody asks for it.
      openOnFocus={false}
      {...(first && { 'data-autofocus': true })}
      label={t('devices.presetOptional')}
      description={t('devices.presetHelp')}
      placeholder={t('devices.noPreset')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('devices.noPreset') }}
      value={value}
      data={options}
      onSearchChange={setText}
      nothingFoundMessage={fetching ? t('ui.loading') : t('devices.noPresetFound')}
      onChange={onChange}
    />
  )
}

type FilterProps = {
  value: string | undefined
  /** Its list belongs to the popover that it is in. */
  within?: boolean
  onChange: (presetId: string | null) => void
}

/** The list's devices of one preset only. */
export function PresetFilter({ value, within = false, onChange }: FilterProps) {
  const t = useWords()
  const org = useReach()
  const asked = { params: { id: value ?? '' }, query: { organization: org } }
  const chosen = useQuery({ ...query(api.mappings.preset, asked), enabled: value !== undefined })
  const { options, fetching, setText } = usePresets(value ?? null, chosen.data?.value.name)
  return (
    <Select
      className={classes.presetFilter}
      comboboxProps={{ withinPortal: !within }}
      openOnFocus={!within}
      aria-label={t('devices.preset')}
      placeholder={t('devices.anyPreset')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('devices.anyPreset') }}
      value={value ?? null}
      data={options}
      onSearchChange={setText}
      nothingFoundMessage={fetching ? t('ui.loading') : t('devices.noPresetFound')}
      onChange={onChange}
    />
  )
}

/** Presets that match what is typed, with the chosen one in any case. */
function usePresets(value: string | null, named: string | null | undefined) {
  const organization = useReach()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, 250)
  const asked = {
    organization,
    page: 0,
    pageSize: 50,
    omitContent: true,
    ...(search !== '' && search !== named && { search }),
  }
  const { data, isFetching } = useQuery({
    ...query(api.mappings.presets, { query: asked }),
    placeholderData: keepPreviousData,
  })
  const found = (data?.data ?? []).map(({ id, name, modelName, version }) => ({
    value: id,
    label: modelName === name ? `${name} · ${version}` : `${name} · ${modelName} ${version}`,
  }))
  const missing = value !== null && !found.some((one) => one.value === value)
  return {
    options: missing ? [{ value, label: named ?? value }, ...found] : found,
    fetching: isFetching,
    setText,
  }
}
