import { DataTable } from '@longreach/ui/DataTable'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { KpiChips } from '@longreach/ui/KpiChips'
import { Page, PageHeader, Split } from '@longreach/ui/PageHeader'
import { Reason } from '@longreach/ui/Reason'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useIntl } from 'react-intl'
import { useErrorText } from '../../lib/error-text.ts'
import { useMay } from '../../lib/session.ts'
import { usualZone } from '../../lib/time-zone.ts'
import { useSearch } from '../../lib/use-search.ts'
import { type Row, useDeviceColumns, useRows } from './device-columns.tsx'
import { useCounts, useDevices } from './device-calls.ts'
import { listState, type ListState, sortText } from './devices-url.ts'
import classes from './devices.module.css'

const AddDeviceDialog = lazy(async () => ({
  default: (await import('./AddDeviceDialog.tsx')).AddDeviceDialog,
}))
const PresetFilter = lazy(async () => ({
  default: (await import('./PresetSelect.tsx')).PresetFilter,
}))
const DevicePanel = lazy(async () => ({ default: (await import('./DevicePanel.tsx')).DevicePanel }))

/** The devices of the organization: found, filtered and looked into without leaving the list. */
export function Component() {
  const t = useWords()
  const intl = useIntl()
  const errorText = useErrorText()
  const [search, change] = useSearch()
  const state = listState(search)
  const list = useDevices(state)
  const counts = useCounts(state)
  const rows = useRows(list.data?.pages.flatMap(({ data }) => data) ?? [])
  const columns = useDeviceColumns(state.below)
  const total = list.data?.pages[0]?.totalElements
  const open = (row: Row | undefined) => void change({ device: row?.deviceId })
  const opened = state.open
  return (
    <Page>
      <PageHeader
        title={t('shell.section.devices')}
        count={counts && intl.formatNumber(counts.total)}
        help={t('devices.help')}
        actions={<AddButton />}
      />
      <Figures
        state={state}
        counts={counts}
        onChange={(connection) => void change({ state: connection })}
      />
      <Split>
        <DataTable
          name="devices"
          label={t('shell.section.devices')}
          columns={columns}
          rows={rows}
          rowId={(row) => row.deviceId}
          total={total}
          sort={state.sort}
          onSort={(sort) => void change({ sort: sortText(sort) })}
          selected={opened}
          onOpen={open}
          onMore={() => {
            if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
          }}
          fetching={list.isFetching && !list.isPending}
          toolbar={
            <Filters key={state.text === '' ? 'empty' : 'text'} state={state} onChange={change} />
          }
          footer={
            total !== undefined && (
              <>
                <span>{t('devices.shown', { shown: rows.length, total })}</span>
                <span>
                  {t('devices.footer', { time: new Date(list.dataUpdatedAt), zone: usualZone() })}
                </span>
              </>
            )
          }
          empty={
            list.isPending ? (
              <RowsSkeleton />
            ) : list.error ? (
              <ErrorPanel {...errorText(list.error)} onRetry={() => void list.refetch()} />
            ) : (
              <Nothing
                state={state}
                onClear={() => void change({ q: undefined, state: undefined, preset: undefined })}
              />
            )
          }
        />
        {opened !== undefined && (
          <Suspense fallback={null}>
            <DevicePanel key={opened} deviceId={opened} onClose={() => open(undefined)} />
          </Suspense>
        )}
      </Split>
    </Page>
  )
}

type FiguresProps = {
  state: ListState
  counts: ReturnType<typeof useCounts>
  onChange: (connection: string | undefined) => void
}

function Figures({ state, counts, onChange }: FiguresProps) {
  const t = useWords()
  const intl = useIntl()
  const figure = (value: number | undefined) =>
    value === undefined ? {} : { value: intl.formatNumber(value) }
  const share =
    counts &&
    counts.total > 0 &&
    intl.formatNumber(counts.connected / counts.total, { style: 'percent' })
  const failed = counts?.configurationError
  return (
    <KpiChips
      label={t('devices.figures')}
      active={state.connection ?? 'all'}
      onChange={(id) => onChange(id === 'all' ? undefined : id)}
      items={[
        { id: 'all', label: t('devices.all'), ...figure(counts?.total) },
        {
          id: 'online',
          label: t('devices.online'),
          tone: 'ok',
          ...(share && { note: share }),
          ...figure(counts?.connected),
        },
        {
          id: 'offline',
          label: t('devices.offline'),
          tone: 'off',
          ...figure(counts && counts.total - counts.connected),
        },
        ...shownIf(Boolean(failed) || state.connection === 'error', {
          id: 'error',
          label: t('devices.failed'),
          tone: 'alarm' as const,
          ...figure(failed),
        }),
      ]}
    />
  )
}

const shownIf = <T,>(shown: boolean, item: T) => (shown ? [item] : [])

type FilterProps = { state: ListState; onChange: ReturnType<typeof useSearch>[1] }

function Filters({ state, onChange }: FilterProps) {
  const t = useWords()
  const may = useMay()
  const [text, setText] = useState(state.text)
  const tell = useDebouncedCallback((q: string) => void onChange({ q }), 250)
  return (
    <>
      <TextInput
        className={classes.search}
        type="search"
        data-filter
        aria-label={t('devices.search')}
        placeholder={t('devices.search')}
        leftSection={<IconSearch size={15} stroke={1.6} />}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          tell(event.currentTarget.value)
        }}
      />
      {may('models:read') && (
        <Suspense fallback={<div className={classes.presetFilter} />}>
          <PresetFilter
            value={state.preset}
            onChange={(preset) => void onChange({ preset: preset ?? undefined })}
          />
        </Suspense>
      )}
      <Checkbox
        label={t('devices.below')}
        checked={state.below}
        onChange={(event) =>
          void onChange({ below: event.currentTarget.checked ? undefined : 'false' })
        }
      />
    </>
  )
}

function AddButton() {
  const t = useWords()
  const may = useMay()('devices:create')
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Reason text={may ? undefined : t('devices.mayNotCreate')}>
        <Button
          leftSection={<IconPlus size={16} />}
          aria-disabled={!may}
          {...(!may && { 'data-disabled': true })}
          onClick={() => may && setOpened(true)}
        >
          {t('devices.add')}
        </Button>
      </Reason>
      {opened && (
        <Suspense fallback={null}>
          <AddDeviceDialog onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  )
}

function Nothing({ state, onClear }: { state: ListState; onClear: () => void }) {
  const t = useWords()
  const filtered = state.text !== '' || state.connection !== undefined || state.preset !== undefined
  if (filtered)
    return (
      <EmptyState
        kind="filtered"
        title={t('devices.notFound')}
        text={t('devices.notFoundText')}
        action={
          <Button variant="default" onClick={onClear}>
            {t('devices.clearFilter')}
          </Button>
        }
      />
    )
  return (
    <EmptyState
      kind="nothing"
      title={t('devices.none')}
      text={t('devices.noneText')}
      action={<AddButton />}
    />
  )
}
