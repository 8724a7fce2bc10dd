import { useWords } from '@longreach/ui/use-words'
import { FormDialog } from '@longreach/ui/FormDialog'
import { Group, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useFeature } from '../../parts/session/features.ts'
import { useReach } from '../../parts/session/reach.ts'
import { TagsField } from './list/BulkDialog.tsx'
import { type Device, devicesChanged } from './device-calls.ts'
import { draftOf, type EditDraft, faultsOf, patchOf } from './edit-rules.ts'

/** Changes what people call a device and say about it. */
export function EditDeviceDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const organization = useReach()
  const [draft, setDraft] = useState(() => draftOf(device))
  const [tried, setTried] = useState(false)
  const faults = faultsOf(draft)
  const save = useMutation({
    mutationFn: () =>
      api.mappings.updateDevice({
        params: { id: device.deviceId },
        query: { organization },
        body: patchOf(draft, device),
      }),
    onSuccess: async () => {
      await devicesChanged()
      onClose()
    },
  })
  const failure = save.error ? errorText(save.error) : undefined
  const errorAt = (field: keyof EditDraft) => {
    const fault = tried ? faults[field] : undefined
    return fault === undefined ? failure?.fields[field] : t(fault)
  }
  return (
    <FormDialog
      onClose={onClose}
      title={t('devices.edit')}
      verb={t('devices.save')}
      pending={save.isPending}
      error={failure?.message}
      onSubmit={() => {
        setTried(true)
        if (Object.keys(faults).length === 0) save.mutate()
      }}
    >
      <Fields
        draft={draft}
        organization={organization}
        errorAt={errorAt}
        onChange={(part) => setDraft({ ...draft, ...part })}
      />
    </FormDialog>
  )
}

type FieldsProps = {
  draft: EditDraft
  organization: string
  errorAt: (field: keyof EditDraft) => string | undefined
  onChange: (part: Partial<EditDraft>) => void
}

function Fields({ draft, organization, errorAt, onChange }: FieldsProps) {
  const t = useWords()
  const withoutSerial = useFeature('hideDeviceSerialNumber')
  const withoutDescription = useFeature('hideDeviceDescription')
  return (
    <>
      <TextInput
        data-autofocus
        label={t('devices.label')}
        value={draft.label}
        maxLength={200}
        error={errorAt('label')}
        onChange={(event) => onChange({ label: event.currentTarget.value })}
      />
      {!withoutSerial && (
        <TextInput
          label={t('devices.serialOptional')}
          value={draft.serialNumber}
          maxLength={200}
          error={errorAt('serialNumber')}
          onChange={(event) => onChange({ serialNumber: event.currentTarget.value })}
        />
      )}
      {!withoutDescription && (
        <Textarea
          label={t('devices.descriptionOptional')}
          autosize
          minRows={2}
          maxLength={2000}
          value={draft.description}
          error={errorAt('description')}
          onChange={(event) => onChange({ description: event.currentTarget.value })}
        />
      )}
      <TagsField
        organization={organization}
        value={draft.tags}
        error={errorAt('tags')}
        onChange={(tags) => onChange({ tags })}
      />
      <Group grow align="flex-start">
        <TextInput
          label={t('devices.latitudeOptional')}
          inputMode="decimal"
          value={draft.lat}
          error={errorAt('lat')}
          onChange={(event) => onChange({ lat: event.currentTarget.value })}
        />
        <TextInput
          label={t('devices.longitudeOptional')}
          inputMode="decimal"
          value={draft.lon}
          error={errorAt('lon')}
          onChange={(event) => onChange({ lon: event.currentTarget.value })}
        />
      </Group>
    </>
  )
}
