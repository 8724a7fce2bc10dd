import { CopyText } from '@longreach/ui/CopyText'
import type { Column } from '@longreach/ui/DataTable'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { type Translate, useWords } from '@longreach/ui/use-words'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { DeviceAlarmMark } from '../../parts/alarms/DeviceAlarmMark.tsx'
import { useFeature } from '../../parts/session/features.ts'
import { useOrganizationNames } from '../../parts/organizations/organization-names.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import { ConnectionState } from './ConnectionState.tsx'
import { KeyValuesCell } from './KeyValuesCell.tsx'
import { ConnectionStrip } from './ConnectionStrip.tsx'
import { ConfigurationState } from './ConfigurationState.tsx'
import type { Device } from './device-calls.ts'
import type { Row } from './device-rows.ts'
import type { DeviceAction } from './device-actions.ts'
import { RowActions } from './list/RowActions.tsx'
import shared from './devices.module.css'
import classes from './device-columns.module.css'

type Options = { below: boolean; onAction: (action: DeviceAction, device: Device) => void }

/** Columns of the list of devices. */
export function useDeviceColumns({ below, onAction }: Options): Column<Row>[] {
  const t = useWords()
  const mayAlarms = useMay()('alarms:read')
  const withoutSerial = useFeature('hideDeviceSerialNumber')
  const withoutDescription = useFeature('hideDeviceDescription')
  return useMemo(
    () => [
      statusColumn(t),
      ...(mayAlarms ? [alarmsColumn(t)] : []),
      ...mainColumns(t, onAction),
      ...lineColumns(t),
      ...(withoutSerial ? [] : [serialColumn(t)]),
      ...(withoutDescription ? [] : [descriptionColumn(t)]),
      ...moreColumns(t, below),
    ],
    [t, below, onAction, mayAlarms, withoutSerial, withoutDescription],
  )
}

const statusColumn = (t: Translate): Column<Row> => ({
  id: 'status',
  label: t('devices.status'),
  width: 150,
  sortable: true,
  card: 'state',
  cell: (row) => <ConnectionState connected={row.connected} since={row.since} />,
})

/** Column of the open alarms, for who may see alarms: a dash says that none is open. */
const alarmsColumn = (t: Translate): Column<Row> => ({
  id: 'alarms',
  label: t('device-alarms.column'),
  width: 84,
  card: 'detail',
  cell: (row) => <DeviceAlarmMark device={row} link none="—" />,
})

const mainColumns = (t: Translate, onAction: Options['onAction']): Column<Row>[] => [
  {
    id: 'label',
    label: t('devices.device'),
    width: 134,
    grow: 3,
    sortable: true,
    fixed: true,
    card: 'title' as const,
    value: (row: Row) => row.label,
    cell: (row: Row) => (
      <span className={classes.nameCell}>
        <Anchor component={Link} to={`/devices/${row.deviceId}`} inherit className={classes.name}>
          {row.label}
        </Anchor>
        <RowActions device={row} t={t} onAction={onAction} />
      </span>
    ),
  },
  {
    id: 'preset',
    label: t('devices.preset'),
    width: 136,
    grow: 2,
    sortable: true,
    card: 'detail' as const,
    cell: (row: Row) =>
      row.presetName || <span className={shared.dim}>{t('devices.noPreset')}</span>,
  },
  {
    id: 'model',
    label: t('devices.model'),
    width: 120,
    grow: 1,
    sortable: true,
    hidden: true,
    cell: (row: Row) => (row.modelName ? `${row.modelName} ${row.modelVersion ?? ''}` : '—'),
  },
  {
    id: 'configuration',
    label: t('devices.configuration'),
    width: 104,
    cell: (row: Row) => <ConfigurationState device={row} />,
  },
]

const lineColumns = (t: Translate): Column<Row>[] => [
  {
    id: 'message',
    label: t('devices.lastMessage'),
    width: 122,
    card: 'detail' as const,
    cell: ({ activity }: Row) =>
      activity?.lastMessageAt ? <RelativeTime at={activity.lastMessageAt} /> : '—',
  },
  {
    id: 'day',
    label: t('devices.lastDay'),
    width: 104,
    cell: ({ activity }: Row) => <ConnectionStrip activity={activity} />,
  },
  {
    id: 'tags',
    label: t('devices.tags'),
    width: 102,
    grow: 2,
    cell: ({ tags }: Row) => <TagList tags={tags} />,
  },
  {
    id: 'keyValues',
    label: t('devices.keyValues'),
    width: 240,
    grow: 3,
    hidden: true,
    card: 'value' as const,
    cell: (row: Row) => <KeyValuesCell device={row} />,
  },
]

const serialColumn = (t: Translate): Column<Row> => ({
  id: 'serial',
  label: t('devices.serial'),
  width: 120,
  sortable: true,
  hidden: true,
  cell: ({ serialNumber }) =>
    serialNumber === '' ? '—' : <CopyText text={serialNumber} label={t('devices.serial')} />,
})

const descriptionColumn = (t: Translate): Column<Row> => ({
  id: 'description',
  label: t('devices.description'),
  width: 160,
  grow: 1,
  hidden: true,
  cell: ({ description }) => description || '—',
})

const moreColumns = (t: Translate, below: boolean): Column<Row>[] => [
  {
    id: 'organization',
    label: t('devices.organization'),
    width: 140,
    grow: 2,
    sortable: true,
    hidden: !below,
    cell: ({ orgResourceId }: Row) => <OrganizationName id={orgResourceId} />,
  },
  {
    id: 'seen',
    label: t('devices.connectionChanged'),
    width: 130,
    sortable: true,
    hidden: true,
    cell: ({ since }: Row) => (since === undefined ? '—' : <RelativeTime at={since} />),
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
    hidden: true,
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

/** Name of the organization; until it is known, its path below the person's own organization. */
function OrganizationName({ id }: { id: string }) {
  const { resourceId, label } = useSession().organization
  const names = useOrganizationNames()
  const below = id.startsWith(`${resourceId}.`) ? id.slice(resourceId.length + 1) : id
  return <span title={id}>{id === resourceId ? label : (names.get(id) ?? below)}</span>
}

const mostTags = 3

function TagList({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return '—'
  return (
    <span className={classes.tagList} title={tags.join(', ')}>
      {tags.slice(0, mostTags).map((tag) => (
        <span key={tag} className={classes.tagChip}>
          {tag}
        </span>
      ))}
      {tags.length > mostTags && <span className={shared.dim}>+{tags.length - mostTags}</span>}
    </span>
  )
}
