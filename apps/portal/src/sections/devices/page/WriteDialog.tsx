import { useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import { useTags } from '../../../parts/devices/devices.ts'
import { WriteForm } from './WriteForm.tsx'
import { WriteHistory } from './WriteHistory.tsx'

type Props = {
  device: { deviceId: string; label: string }
  path: string
  onClose: () => void
}

/** Writes one value: the old and the new one, what the device itself reports, and who wrote it before. */
export function WriteDialog({ device, path, onClose }: Props) {
  const t = useWords()
  const { tags } = useTags(device.deviceId)
  const tag = tags.find((one) => one.path === path)
  return (
    <Dialog
      size={520}
      onClose={onClose}
      title={t('devices.write.title', { name: tag?.name ?? path })}
    >
      {tag && <WriteForm device={device} tag={tag} onClose={onClose} />}
      {tag && <WriteHistory deviceId={device.deviceId} tag={tag} />}
    </Dialog>
  )
}
