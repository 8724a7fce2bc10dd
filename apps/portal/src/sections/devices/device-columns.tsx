import { CopyText } from '@longreach/ui/CopyText'
import type { Column } from '@longreach/ui/DataTable'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { StatusDot, Tag } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useLiveStatus } from '../../lib/live.ts'
import type { Device } from './device-calls.ts'
import classes from './devices.module.css'

/** A device with what the socket knows better than the list. */
export type Row = Device & { since: number | undefined }

/** The list's devices with their state of now; nothing moves when a state changes. */
export function useRows(devices: readonly Device[]): Row[] {
  const statusOf = useLiveStatus()
  return devices.map((device) => {
    const live = statusOf(device.deviceId)
    return {
      ...device,
      connected: live?.connected ?? device.connected,
      configurationApplied: live?.configurationApplied ?? device.configurationApplied,
      // 0 stands for a device that never connected.
      since: live?.at || device.lastConnUpdateAt || undefined,
    }
  })
}

/** Columns of the list of devices. */
export function useDeviceColumns(below: boolean): Column<Row>[] {
  const t = useWords()
  return useMemo(() => [...mainColumns(t), ...moreColumns(t, below)], [t, below])
}

type Translate = ReturnType<typeof useWords>

const mainColumns = (t: Translate): Column<Row>[] => [
  {
    id: 'status',
    label: t('devices.status'),
    width: 170,
    card: 'state' as const,
    cell: (row: Row) => <ConnectionState connected={row.connected} since={row.since} />,
  },
  {
    id: 'label',
    label: t('devices.device'),
    width: 180,
    grow: 2,
    sortable: true,
    fixed: true,
    card: 'title' as const,
    value: (row: Row) => row.label,
    cell: (row: Row) => (
      <Anchor component={Link} to={`/devices/${row.deviceId}`} inherit className={classes.name}>
        {row.label}
      </Anchor>
    ),
  },
  {
    id: 'preset',
    label: t('devices.preset'),
    width: 130,
    grow: 1,
    card: 'detail' as const,
    cell: (row: Row) =>
      row.presetName || <span className={classes.dim}>{t('devices.noPreset')}</span>,
  },
  {
    id: 'model',
    label: t('devices.model'),
    width: 120,
    grow: 1,
    cell: (row: Row) => (row.modelName ? `${row.modelName} ${row.modelVersion ?? ''}` : '—'),
  },
  {
    id: 'configuration',
    label: t('devices.configuration'),
    width: 130,
    cell: (row: Row) => <ConfigurationState device={row} />,
  },
]

const moreColumns = (t: Translate, below: boolean): Column<Row>[] => [
  {
    id: 'organization',
    label: t('devices.organization'),
    width: 140,
    grow: 1,
    hidden: !below,
    cell: (row: Row) => row.orgResourceId,
  },
  {
    id: 'created',
    label: t('devices.created'),
    width: 130,
    sortable: true,
    hidden: true,
    align: 'end' as const,
    cell: (row: Row) => <RelativeTime at={row.creationDate} />,
  },
  {
    id: 'changed',
    label: t('devices.changed'),
    width: 120,
    sortable: true,
    align: 'end' as const,
    cell: (row: Row) => <RelativeTime at={row.updatedAt} />,
  },
  {
    id: 'id',
    label: t('devices.id'),
    width: 170,
    hidden: true,
    cell: (row: Row) => <CopyText text={row.deviceId} label={t('devices.id')} shorten />,
  },
]

type StateProps = { connected: boolean; since: number | undefined }

/** Online or offline, and since when. */
export function ConnectionState({ connected, since }: StateProps) {
  const t = useWords()
  return (
    <StatusDot tone={connected ? 'ok' : 'off'}>
      <span>
        {connected ? t('devices.online') : t('devices.offline')}
        <span className={classes.since}>
          {' · '}
          {since === undefined ? t('devices.never') : <RelativeTime at={since} />}
        </span>
      </span>
    </StatusDot>
  )
}

type ConfigurationFacts = Pick<
  Device,
  'presetId' | 'configurationApplied' | 'configurationSent' | 'configurationError'
>

/** How far the device's configuration has come. */
export function ConfigurationState({ device }: { device: ConfigurationFacts }) {
  const t = useWords()
  if (!device.presetId) return <span className={classes.dim}>{t('devices.config.none')}</span>
  if (device.configurationError) return <Tag tone="alarm">{t('devices.config.error')}</Tag>
  if (device.configurationApplied) return <Tag tone="ok">{t('devices.config.applied')}</Tag>
  if (device.configurationSent) return <Tag tone="warning">{t('devices.config.sent')}</Tag>
  return <Tag tone="off">{t('devices.config.waiting')}</Tag>
}
