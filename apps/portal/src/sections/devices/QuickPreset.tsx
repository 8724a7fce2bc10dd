import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { useErrorText } from '../../lib/error-text.ts'
import { useReach } from '../../lib/reach.ts'
import { useMay, useSession } from '../../lib/session.ts'
import { AssignPresetDialog } from './AssignPresetDialog.tsx'
import { type Device, devicesChanged } from './device-calls.ts'
import classes from './devices.module.css'
import { type Announced, instanceUuid, modelAndPreset } from './quick-preset.ts'

/** Makes a model and a preset from what the device announces and gives it to the device, in one click. */
export function QuickPreset({
  device,
  announced,
}: {
  device: Device
  announced: readonly Announced[]
}) {
  const t = useWords()
  const errorText = useErrorText()
  const organization = useSession().organization.resourceId
  const reach = useReach()
  const may = useMay()
  const [choosing, setChoosing] = useState(false)
  const [uuid] = useState(instanceUuid)
  const made = modelAndPreset(`${device.label} ${device.deviceId.slice(0, 5)}`, announced, uuid)
  const make = useMutation({
    mutationFn: async () => {
      const query = { organization }
      await api.mappings.createModel({ query, body: made.model })
      const { id: presetId } = await api.mappings.createPreset({ query, body: made.preset })
      const params = { id: device.deviceId }
      await api.mappings.assignPreset({
        params,
        query: { organization: reach },
        body: { presetId },
      })
    },
    onSuccess: devicesChanged,
  })
  const allowed = may('models:create') && may('devices:update')
  return (
    <>
      <p className={classes.dim}>
        {announced.length === 0
          ? t('devices.quick.none')
          : t('devices.quick.text', { count: made.count })}
      </p>
      {!allowed && <p className={classes.warn}>{t('devices.quick.mayNot')}</p>}
      {make.error && <ErrorPanel {...errorText(make.error)} />}
      <div className={classes.bar}>
        <Button
          disabled={made.count === 0 || !allowed}
          loading={make.isPending}
          onClick={() => make.mutate()}
        >
          {t('devices.quick.verb', { count: made.count })}
        </Button>
        {may('models:read') && (
          <Button variant="default" onClick={() => setChoosing(true)}>
            {t('devices.assign')}
          </Button>
        )}
      </div>
      {choosing && <AssignPresetDialog device={device} onClose={() => setChoosing(false)} />}
    </>
  )
}
