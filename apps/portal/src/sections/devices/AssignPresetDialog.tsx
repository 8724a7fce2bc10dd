import { useWords } from '@longreach/ui/use-words'
import { FormDialog } from '@longreach/ui/FormDialog'
import { Anchor } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useMay } from '../../parts/session/session.ts'
import { type Device, devicesChanged } from './device-calls.ts'
import { PresetSelect } from './PresetSelect.tsx'
import { linkTo } from '../../parts/pages/page-links.ts'

/** Gives a device a preset, or takes it away. */
export function AssignPresetDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const organization = useReach()
  const mayMake = useMay()('models:create')
  const withDevice = { params: { presetId: 'new' }, search: { device: device.deviceId } }
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
    <FormDialog
      onClose={onClose}
      title={t('devices.assign')}
      verb={t('devices.assignVerb')}
      pending={assign.isPending}
      error={assign.error ? errorText(assign.error).message : undefined}
      onSubmit={() => assign.mutate()}
    >
      <PresetSelect first value={presetId} named={device.presetName} onChange={setPresetId} />
      <p style={{ margin: 0 }}>{t('devices.assignText', { device: device.label })}</p>
      {mayMake && (
        <Anchor component={Link} {...linkTo('/presets/$presetId', withDevice)} size="sm">
          {t('devices.makePreset')}
        </Anchor>
      )}
    </FormDialog>
  )
}
