import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { useWords } from '@longreach/ui/use-words'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../../parts/api/api.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { devicesChanged } from '../device-calls.ts'
import type { Deleted } from './trash-columns.tsx'

/** Deletes a device for good: the one thing here that cannot be taken back. */
export function PurgeDialog({ device, onClose }: { device: Deleted; onClose: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const organization = useReach()
  const purge = useMutation({
    mutationFn: () =>
      api.mappings.purgeDevice({ params: { id: device.deviceId }, query: { organization } }),
    onSuccess: async () => {
      await devicesChanged()
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={t('devices.purgeTitle', { device: device.label })}
      verb={t('devices.purge')}
      danger
      typed={device.label}
      pending={purge.isPending}
      error={purge.error ? errorText(purge.error).message : undefined}
      onConfirm={() => purge.mutate()}
      onClose={onClose}
    >
      <p>{t('devices.purgeText')}</p>
    </ConfirmDialog>
  )
}
