import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useReach } from '../../parts/session/reach.ts'
import { type Device, devicesChanged } from './device-calls.ts'

type Props = { device: Device; onClose: () => void; onDeleted: () => void }

/** Puts a device into the trash, after saying what that means; it can be brought back at once. */
export function DeleteDeviceDialog({ device, onClose, onDeleted }: Props) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const organization = useReach()
  const call = { params: { id: device.deviceId }, query: { organization } }
  const bring = () =>
    api.mappings
      .restoreDevice({ ...call, body: {} })
      .then(devicesChanged, (error: Error) =>
        toast({ kind: 'failed', message: errorText(error).message }),
      )
  const remove = useMutation({
    mutationFn: () => api.mappings.deleteDevice(call),
    onSuccess: () => {
      onDeleted()
      toast({
        message: t('devices.deleted', { device: device.label }),
        action: { label: t('devices.undo'), run: () => void bring() },
      })
      return devicesChanged()
    },
  })
  return (
    <ConfirmDialog
      title={t('devices.deleteTitle', { device: device.label })}
      verb={t('devices.deleteVerb')}
      danger
      pending={remove.isPending}
      error={remove.error ? errorText(remove.error).message : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('devices.deleteText')}</p>
    </ConfirmDialog>
  )
}
