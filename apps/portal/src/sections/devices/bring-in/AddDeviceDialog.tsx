import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { FormShell } from '@longreach/ui/FormShell'
import { useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../parts/api/api.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { useMay, useSession } from '../../../parts/session/session.ts'
import { PresetSelect } from '../PresetSelect.tsx'
import type { IssuedKey } from './ConnectCommands.tsx'
import { ConnectSteps } from './ConnectSteps.tsx'
import { type Device, devicesChanged } from '../device-calls.ts'
import classes from '../devices.module.css'

/** Makes a device and stays open until its first value has arrived. */
export function AddDeviceDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const organization = useSession().organization.resourceId
  const may = useMay()
  const [label, setLabel] = useState('')
  const [missing, setMissing] = useState(false)
  const [presetId, setPresetId] = useState<string | null>(null)
  const create = useMutation({
    mutationFn: async () => {
      const body = { label: label.trim(), presetId }
      const device = await api.mappings.createDevice({ query: { organization }, body })
      void devicesChanged()
      return device
    },
  })
  const device = create.data
  const failure = create.error && errorText(create.error)
  return (
    <Dialog
      size={680}
      onClose={onClose}
      closeOnClickOutside={!device}
      title={device ? t('devices.connectTitle', { device: device.label }) : t('devices.add')}
    >
      {device ? (
        <Connect device={device} atOnce onClose={onClose} />
      ) : (
        <FormShell
          verb={t('devices.addVerb')}
          pending={create.isPending}
          error={failure && !failure.fields['label'] ? failure.message : undefined}
          onCancel={onClose}
          onSubmit={() => {
            setMissing(label.trim() === '')
            if (label.trim() !== '') create.mutate()
          }}
        >
          <TextInput
            data-autofocus
            label={t('devices.label')}
            description={t('devices.labelHelp')}
            value={label}
            maxLength={200}
            error={
              missing && label.trim() === '' ? t('errors.field.required') : failure?.fields['label']
            }
            onChange={(event) => setLabel(event.currentTarget.value)}
          />
          {may('models:read') && <PresetSelect value={presetId} onChange={setPresetId} />}
        </FormShell>
      )}
    </Dialog>
  )
}

/** A new activation key for a device that is there, and what to do with it. */
export function ConnectDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const t = useWords()
  return (
    <Dialog
      size={680}
      onClose={onClose}
      closeOnClickOutside={false}
      title={t('devices.connectTitle', { device: device.label })}
    >
      <Connect device={device} atOnce={false} onClose={onClose} />
    </Dialog>
  )
}

type ConnectProps = { device: Device; atOnce: boolean; onClose: () => void }

function Connect({ device, atOnce, onClose }: ConnectProps) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useReach()
  const issue = useMutation({
    mutationKey: ['activationKey', device.deviceId],
    mutationFn: (): Promise<IssuedKey> =>
      api.platform.issueActivationKey({ params: { org, deviceId: device.deviceId }, body: {} }),
  })
  if (issue.data) return <ConnectSteps device={device} issued={issue.data} onClose={onClose} />
  return (
    <div className={classes.form}>
      <p className={classes.dim}>{atOnce ? t('devices.keyText') : t('devices.keyAgainText')}</p>
      {issue.error && <ErrorPanel {...errorText(issue.error)} />}
      <div className={classes.bar}>
        <Button data-autofocus loading={issue.isPending} onClick={() => issue.mutate()}>
          {t('devices.keyVerb')}
        </Button>
      </div>
    </div>
  )
}
