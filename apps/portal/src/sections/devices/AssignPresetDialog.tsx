import { FormShell } from '@longreach/ui/FormShell'
import { useWords } from '@longreach/ui/use-words'
import { Modal, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../lib/api.ts'
import { useErrorText } from '../../lib/error-text.ts'
import { useReach } from '../../lib/reach.ts'
import { type Device, devicesChanged } from './device-calls.ts'

/** Gives a device a preset, or takes it away. */
export function AssignPresetDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const organization = useReach()
  const [presetId, setPresetId] = useState(device.presetId)
  const assign = useMutation({
    mutationFn: () =>
      api.mappings.assignPreset({
        params: { id: device.deviceId },
        query: { organization },
        body: { presetId },
      }),
    onSuccess: async () => {
      await devicesChanged()
      onClose()
    },
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('devices.assign')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <FormShell
        verb={t('devices.assignVerb')}
        pending={assign.isPending}
        error={assign.error ? errorText(assign.error).message : undefined}
        onCancel={onClose}
        onSubmit={(event) => {
          event.preventDefault()
          assign.mutate()
        }}
      >
        <PresetSelect value={presetId} named={device.presetName} onChange={setPresetId} />
        <p style={{ margin: 0 }}>{t('devices.assignText', { device: device.label })}</p>
      </FormShell>
    </Modal>
  )
}

type SelectProps = {
  value: string | null
  /** Name of the value, when it is not on the first page. */
  named?: string | null
  onChange: (presetId: string | null) => void
}

/** A preset of the organization, found by its name on the server. */
export function PresetSelect({ value, named, onChange }: SelectProps) {
  const t = useWords()
  const organization = useReach()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, 250)
  const asked = {
    organization,
    page: 0,
    pageSize: 50,
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
  return (
    <Select
      label={t('devices.presetOptional')}
      description={t('devices.presetHelp')}
      placeholder={t('devices.noPreset')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('devices.noPreset') }}
      value={value}
      data={missing ? [{ value, label: named ?? value }, ...found] : found}
      onSearchChange={setText}
      nothingFoundMessage={isFetching ? t('ui.loading') : t('devices.noPresetFound')}
      onChange={onChange}
    />
  )
}
