import { FormShell } from '@longreach/ui/FormShell'
import { useWords } from '@longreach/ui/use-words'
import { Modal, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { useErrorText } from '../../lib/error-text.ts'
import { useReach } from '../../lib/reach.ts'
import { type Device, devicesChanged } from './device-calls.ts'

/** Changes what people call a device and say about it. */
export function EditDeviceDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const organization = useReach()
  const [label, setLabel] = useState(device.label)
  const [description, setDescription] = useState(device.description)
  const save = useMutation({
    mutationFn: () =>
      api.mappings.updateDevice({
        params: { id: device.deviceId },
        query: { organization },
        body: { label: label.trim(), description },
      }),
    onSuccess: async () => {
      await devicesChanged()
      onClose()
    },
  })
  const empty = label.trim() === ''
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('devices.edit')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <FormShell
        verb={t('devices.save')}
        pending={save.isPending}
        error={save.error ? errorText(save.error).message : undefined}
        onCancel={onClose}
        onSubmit={(event) => {
          event.preventDefault()
          if (!empty) save.mutate()
        }}
      >
        <TextInput
          data-autofocus
          label={t('devices.label')}
          value={label}
          maxLength={200}
          error={empty && t('devices.labelNeeded')}
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        <Textarea
          label={t('devices.descriptionOptional')}
          autosize
          minRows={2}
          maxLength={2000}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
      </FormShell>
    </Modal>
  )
}
