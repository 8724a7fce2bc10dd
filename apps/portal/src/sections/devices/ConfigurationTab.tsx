import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Panel } from '@longreach/ui/PageHeader'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query, stale } from '../../lib/api.ts'
import { configurationQuery } from '../../lib/devices.ts'
import { useErrorText } from '../../lib/error-text.ts'
import { useReach } from '../../lib/reach.ts'
import { useMay } from '../../lib/session.ts'
import { AssignPresetDialog } from './AssignPresetDialog.tsx'
import { ConfigurationState, type Row } from './device-columns.tsx'
import classes from './devices.module.css'

/** What the device shall do, what it says it does, and what it could send. */
export function ConfigurationTab({ device }: { device: Row }) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useReach()
  const { data, error, refetch } = useQuery({
    ...configurationQuery(org, device.deviceId),
    refetchInterval: 10_000,
  })
  if (error) return <ErrorPanel {...errorText(error)} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton />
  return (
    <div className={classes.stack}>
      <Panel title={t('devices.configuration')} beside={<ConfigurationState device={device} />}>
        <dl className={classes.facts}>
          <dt>{t('devices.preset')}</dt>
          <dd>{device.presetName || t('devices.noPreset')}</dd>
          <dt>{t('devices.sentAt')}</dt>
          <dd>
            <RelativeTime at={data.sentAt} />
          </dd>
        </dl>
        {data.error && <ErrorPanel message={data.error} />}
        <ConfigurationActions device={device} />
      </Panel>
      <div className={classes.halves}>
        <Panel title={t('devices.config.wanted')}>
          <Json value={data.configurationJson} none={t('devices.config.noneText')} />
        </Panel>
        <Panel title={t('devices.config.reported')}>
          <Json value={data.configurationFromDevice} none={t('devices.config.notReported')} />
        </Panel>
      </div>
      <AvailableTags deviceId={device.deviceId} />
    </div>
  )
}

function ConfigurationActions({ device }: { device: Row }) {
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

function Json({ value, none }: { value: unknown; none: string }) {
  if (value === null || value === undefined || value === '')
    return <p className={classes.dim}>{none}</p>
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
    <pre className={classes.code} tabIndex={0}>
      {JSON.stringify(value, null, 2)}
    </pre>
  )
}

function AvailableTags({ deviceId }: { deviceId: string }) {
  const t = useWords()
  const org = useReach()
  const { data = [] } = useQuery(query(api.platform.availableTags, { params: { org, deviceId } }))
  return (
    <Panel title={t('devices.available', { count: data.length })}>
      {data.length === 0 ? (
        <p className={classes.dim}>{t('devices.availableNone')}</p>
      ) : (
        <table className={classes.history}>
          <thead>
            <tr>
              <th scope="col">{t('devices.tag')}</th>
              <th scope="col">{t('devices.type')}</th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ name, type }) => (
              <tr key={name}>
                <td>
                  <code>{name}</code>
                </td>
                <td>{type}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}
