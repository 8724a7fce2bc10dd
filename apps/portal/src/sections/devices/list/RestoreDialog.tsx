import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { FormDialog } from '@longreach/ui/FormDialog'
import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../parts/api/api.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { devicesChanged } from '../device-calls.ts'
import type { Deleted } from './trash-columns.tsx'

/** Brings a device back; under another name where its own is taken meanwhile. */
export function RestoreDialog({ device, onClose }: { device: Deleted; onClose: () => void }) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const organization = useReach()
  const [label, setLabel] = useState(device.label)
  const restore = useMutation({
    mutationFn: () =>
      api.mappings.restoreDevice({
        params: { id: device.deviceId },
        query: { organization },
        body: { label: label.trim() },
      }),
    onSuccess: async () => {
      await devicesChanged()
      toast({ message: t('devices.restored', { device: label.trim() }) })
      onClose()
    },
  })
  const failure = restore.error ? errorText(restore.error) : undefined
  const atLabel = failure?.fields['label']
  return (
    <FormDialog
      onClose={onClose}
      title={t('devices.restoreTitle', { device: device.label })}
      verb={t('devices.restore')}
      pending={restore.isPending}
      error={atLabel === undefined ? failure?.message : undefined}
      onSubmit={() => {
        if (label.trim() !== '') restore.mutate()
      }}
    >
      <TextInput
        data-autofocus
        label={t('devices.label')}
        description={t('devices.restoreText')}
        value={label}
        maxLength={200}
        error={label.trim() === '' ? t('devices.labelNeeded') : atLabel}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
