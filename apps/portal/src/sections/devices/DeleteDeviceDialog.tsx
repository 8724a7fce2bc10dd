import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { useWords } from '@longreach/ui/use-words'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { useErrorText } from '../../lib/error-text.ts'
import { useReach } from '../../lib/reach.ts'
import { type Device, devicesChanged } from './device-calls.ts'

type Props = { device: Device; onClose: () => void; onDeleted: () => void }

/** Takes a device away for good, after saying what goes with it. */
export function DeleteDeviceDialog({ device, onClose, onDeleted }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const organization = useReach()
  const remove = useMutation({
    mutationFn: () =>
      api.mappings.deleteDevice({ params: { id: device.deviceId }, query: { organization } }),
    onSuccess: () => {
      onDeleted()
      return devicesChanged()
    },
  })
  return (
    <ConfirmDialog
      title={t('devices.deleteTitle', { device: device.label })}
      verb={t('devices.deleteVerb')}
      danger
      typed={device.label}
      pending={remove.isPending}
      error={remove.error ? errorText(remove.error).message : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('devices.deleteText')}</p>
    </ConfirmDialog>
  )
}
