import { type Column, DataTable } from '@longreach/ui/DataTable'
import { EmptyState } from '@longreach/ui/EmptyState'
import { BytesText } from '@longreach/ui/NumberText'
import { Split } from '@longreach/ui/PageHeader'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useWords, type Translate } from '@longreach/ui/use-words'
import { Anchor, SegmentedControl } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type MouseEvent, useMemo } from 'react'
import { type IntlShape, useIntl } from 'react-intl'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { PathsPanel } from './PathsPanel.tsx'
import type { Used, UsedDevice } from './storage-calls.ts'
import { nameOf } from './storage-rules.ts'
import classes from './storage.module.css'

type Amounts = Used['total']
type Row = Amounts & {
  id: string
  name: string
  note: string
  deviceId?: string
  deleted?: boolean
}

/** Organizations or devices, the heaviest first; a device opens its paths. */
export function UsedTable({ used, fetching }: { used: Used; fetching: boolean }) {
  const t = useWords()
  const [search, change] = useSearch()
  const by = one(search['by']) === 'organization' ? 'organization' : 'device'
  const chosen = used.devices.find(({ deviceId }) => deviceId === one(search['device']))
  const rows =
    by === 'device' ? used.devices.map(deviceRow) : used.organizations.map(ofOrganization)
  const columns = useColumns(t(`storage.by.${by}`))
  return (
    <Split>
      <DataTable
        name={`storage-${by}`}
        label={t('storage.views.used')}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        fetching={fetching}
        selected={chosen?.deviceId}
        onOpen={by === 'device' ? ({ id }) => void change({ device: id }) : undefined}
        toolbar={
          <SegmentedControl
            size="xs"
            aria-label={t('storage.groupBy')}
            value={by}
            onChange={(value) =>
              void change({ by: value === 'device' ? undefined : value, device: undefined })
            }
            data={(['organization', 'device'] as const).map((value) => ({
              value,
              label: t(`storage.by.${value}`),
            }))}
          />
        }
        footer={
          by === 'device' && used.others.devices > 0
            ? t('storage.others', { devices: used.others.devices, values: used.others.values })
            : t('storage.measured')
        }
        empty={<EmptyState kind="nothing" title={t('storage.none')} text={t('storage.noneText')} />}
      />
      {chosen && <PathsPanel device={chosen} onClose={() => void change({ device: undefined })} />}
    </Split>
  )
}

const deviceRow = (device: UsedDevice): Row => ({
  ...device,
  id: device.deviceId,
  name: device.label || device.deviceId,
  note: nameOf(device.organization),
})
const ofOrganization = (row: Used['organizations'][number]): Row => ({
  ...row,
  id: row.organization,
  name: nameOf(row.organization),
  note: row.organization,
})

function useColumns(first: string): Column<Row>[] {
  const t = useWords()
  const intl = useIntl()
  return useMemo(
    () => [
      {
        id: 'name',
        label: first,
        width: 180,
        grow: 2,
        sortable: true,
        fixed: true,
        card: 'title',
        value: ({ name }) => name,
        cell: ({ name, deviceId, deleted }) =>
          deviceId !== undefined && deleted === false ? (
            <Anchor
              component={Link}
              to={`/devices/${deviceId}`}
              className={classes.name}
              title={name}
              onClick={(event: MouseEvent) => event.stopPropagation()}
            >
              {name}
            </Anchor>
          ) : (
            <span className={classes.name} title={name}>
              {name}
            </span>
          ),
      },
      {
        id: 'note',
        label: t('storage.by.organization'),
        width: 130,
        grow: 1,
        sortable: true,
        value: ({ note }) => note,
        cell: ({ note }) => note,
      },
      ...amountColumns(t, intl),
      {
        id: 'newest',
        label: t('storage.newest'),
        width: 130,
        sortable: true,
        value: ({ newest }) => newest ?? 0,
        cell: ({ newest }) => <RelativeTime at={newest} />,
      },
    ],
    [t, intl, first],
  )
}

function amountColumns(t: Translate, intl: IntlShape): Column<Row>[] {
  const amount = (
    id: 'bytes' | 'values' | 'bytesPerDay' | 'valuesPerDay',
    card?: 'state' | 'detail',
  ): Column<Row> => ({
    id,
    label: t(`storage.columns.${id}`),
    width: 130,
    align: 'end',
    sortable: true,
    ...(card && { card }),
    value: (row) => row[id] ?? 0,
    cell: (row) =>
      id.startsWith('bytes') ? (
        <BytesText value={row[id] ?? 0} />
      ) : (
        intl.formatNumber(Math.round(row[id] ?? 0))
      ),
  })
  return [
    amount('bytes', 'state'),
    amount('values', 'detail'),
    amount('bytesPerDay', 'detail'),
    amount('valuesPerDay'),
  ]
}
