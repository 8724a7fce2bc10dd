import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import { type Device, devicesChanged } from './device-calls.ts'
import classes from './devices.module.css'
import { makePreset } from '../../parts/presets/make-preset.ts'
import { type Announced, modelAndPreset } from '../../parts/presets/quick-preset.ts'

const AssignPresetDialog = late(() => import('./AssignPresetDialog.tsx'), 'AssignPresetDialog')

type Props = {
  device: Device
  announced: readonly Announced[]
  /** False where the page has another main act. */
  main?: boolean
}

/** Makes a model and a preset from what the device announces and gives it to the device, in one click. */
export function QuickPreset({ device, announced, main = true }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const organization = useSession().organization.resourceId
  const reach = useReach()
  const may = useMay()
  const [choosing, setChoosing] = useState(false)
  const label = `${device.label} ${device.deviceId.slice(0, 5)}`
  const made = modelAndPreset(label, announced, { uuid: '' })
  const make = useMutation({
    mutationFn: async () => {
      const presetId = await makePreset(organization, label, announced)
      const params = { id: device.deviceId }
      await api.mappings.assignPreset({
        params,
        query: { organization: reach },
        body: { presetId },
      })
    },
    onSuccess: devicesChanged,
  })
  const allowed = may('models:create') && may('models:read') && may('devices:update')
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
          variant={main ? 'filled' : 'default'}
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
