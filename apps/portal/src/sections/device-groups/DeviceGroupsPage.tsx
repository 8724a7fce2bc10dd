import { late } from '@longreach/ui/late'
import { DataTable, type Column } from '@longreach/ui/DataTable'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { NothingFound } from '@longreach/ui/NothingFound'
import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { Reason } from '@longreach/ui/Reason'
import { SearchField } from '@longreach/ui/SearchField'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Anchor, Button, Checkbox } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { useIntl } from 'react-intl'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useMay } from '../../parts/session/session.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { type DeviceGroup, useDeviceGroups } from './group-calls.ts'
import { GroupType, useGroupName } from './GroupType.tsx'

const GroupNameDialog = late(async () => ({
  default: (await import('./GroupNameDialog.tsx')).GroupNameDialog,
}))

/** Sets of devices that roles and people can be limited to. */
export function Component() {
  const t = useWords()
  const intl = useIntl()
  const errorText = useErrorText()
  const navigate = useNavigate()
  const [search, change] = useSearch()
  const text = one(search['q']) ?? ''
  const ownToo = one(search['all']) === 'true'
  const list = useDeviceGroups(text, ownToo)
  const rows = list.data?.pages.flatMap(({ content }) => content) ?? []
  const total = list.data?.pages[0]?.totalElements
  return (
    <Page>
      <PageHeader
        title={t('shell.section.device-groups')}
        count={total !== undefined && intl.formatNumber(total)}
        help={t('device-groups.help')}
        actions={<NewGroupButton />}
      />
      <DataTable
        name="device-groups"
        label={t('shell.section.device-groups')}
        columns={useColumns()}
        rows={rows}
        rowId={({ id }) => String(id)}
        total={total}
        onOpen={({ id }) => void navigate({ to: `/devices/groups/${id}` })}
        onMore={() => {
          if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
        }}
        fetching={list.isFetching && !list.isPending}
        toolbar={
          <>
            <SearchField
              label={t('device-groups.search')}
              text={text}
              onText={(q) => void change({ q })}
            />
            <Checkbox
              label={t('device-groups.ownToo')}
              checked={ownToo}
              onChange={(event) =>
                void change({ all: event.currentTarget.checked ? 'true' : undefined })
              }
            />
          </>
        }
        footer={
          total !== undefined && (
            <span>{t('device-groups.shown', { shown: rows.length, total })}</span>
          )
        }
        empty={
          list.isPending ? (
            <RowsSkeleton />
          ) : list.error ? (
            <ErrorPanel {...errorText(list.error)} onRetry={() => void list.refetch()} />
          ) : (
            <Nothing filtered={text !== ''} onClear={() => void change({ q: undefined })} />
          )
        }
      />
    </Page>
  )
}

function useColumns(): Column<DeviceGroup>[] {
  const t = useWords()
  const intl = useIntl()
  const nameOf = useGroupName()
  return useMemo(
    () => [
      {
        id: 'name',
        label: t('device-groups.name'),
        width: 220,
        grow: 3,
        fixed: true,
        card: 'title' as const,
        value: nameOf,
        cell: (group: DeviceGroup) => (
          <Anchor component={Link} to={`/devices/groups/${group.id}`} inherit fw={550}>
            {nameOf(group)}
          </Anchor>
        ),
      },
      {
        id: 'type',
        label: t('device-groups.type'),
        width: 180,
        grow: 1,
        card: 'state' as const,
        cell: ({ type }: DeviceGroup) => <GroupType type={type} />,
      },
      {
        id: 'devices',
        label: t('device-groups.devices'),
        width: 110,
        align: 'end' as const,
        card: 'detail' as const,
        cell: ({ devices }: DeviceGroup) =>
          devices === undefined ? '—' : intl.formatNumber(devices),
      },
      {
        id: 'holders',
        label: t('device-groups.holders'),
        width: 190,
        align: 'end' as const,
        cell: ({ holders }: DeviceGroup) =>
          holders === undefined ? '—' : intl.formatNumber(holders),
      },
    ],
    [t, intl, nameOf],
  )
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const t = useWords()
  if (!filtered)
    return (
      <EmptyState
        kind="nothing"
        title={t('device-groups.none')}
        text={t('device-groups.noneText')}
        action={<NewGroupButton />}
      />
    )
  return (
    <NothingFound
      title={t('device-groups.notFound')}
      clear={t('device-groups.clearFilter')}
      onClear={onClear}
    />
  )
}

function NewGroupButton() {
  const t = useWords()
  const may = useMay()('devicegroups:create')
  const navigate = useNavigate()
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Reason text={may ? undefined : t('device-groups.mayNotCreate')}>
        <Button
          leftSection={<IconPlus size={16} />}
          aria-disabled={!may}
          {...(!may && { 'data-disabled': true })}
          onClick={() => may && setOpened(true)}
        >
          {t('device-groups.new')}
        </Button>
      </Reason>
      {opened && (
        <Suspense fallback={null}>
          <GroupNameDialog
            onClose={() => setOpened(false)}
            onDone={({ id }) => void navigate({ to: `/devices/groups/${id}` })}
          />
        </Suspense>
      )}
    </>
  )
}
