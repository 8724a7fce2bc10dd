import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, stale } from '../../../parts/api/api.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { useMay } from '../../../parts/session/session.ts'
import { AssignPresetDialog } from '../AssignPresetDialog.tsx'
import type { Row } from '../device-rows.ts'
import classes from '../devices.module.css'

/** Actions on a device's configuration: choose another preset, or send it again. */
export function ConfigurationActions({ device }: { device: Row }) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useReach()
  const may = useMay()
  const [assigning, setAssigning] = useState(false)
  const send = useMutation({
    mutationFn: () => api.platform.syncStatus({ params: { org, deviceId: device.deviceId } }),
    onSuccess: () => stale(api.platform.configuration),
  })
  if (!may('devices:update')) return null
  return (
    <p className={classes.bar}>
      {may('models:read') && (
        <Button variant="default" onClick={() => setAssigning(true)}>
          {t('devices.assign')}
        </Button>
      )}
      {device.presetId && (
        <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
          {t('devices.config.send')}
        </Button>
      )}
      <output>
        {send.data &&
          (send.data.connected ? t('devices.config.sentNow') : t('devices.config.sentLater'))}
        {send.error && errorText(send.error).message}
      </output>
      {assigning && <AssignPresetDialog device={device} onClose={() => setAssigning(false)} />}
    </p>
  )
}
