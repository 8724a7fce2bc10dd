import { late } from '@longreach/ui/late'
import { hasCapability } from '@longreach/authorization/product-capabilities'
import { DataTable } from '@longreach/ui/DataTable'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Page, PageHeader, Split } from '@longreach/ui/PageHeader'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useNarrow } from '@longreach/ui/use-narrow'
import { useWords } from '@longreach/ui/use-words'
import { Navigate } from '@tanstack/react-router'
import { Suspense, useCallback, useState } from 'react'
import { useIntl } from 'react-intl'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { useMay, useSession } from '../../../parts/session/session.ts'
import { usualZone } from '../../../parts/look/time-zone.ts'
import { useSearch } from '../../../parts/pages/use-search.ts'
import { DeviceFigures, ListActions, NoDevices } from './DeviceListParts.tsx'
import type { DeviceAction } from '../device-actions.ts'
import { type Row, useDeviceColumns, useRows } from '../device-columns.tsx'
import { type Device, useActivity, useCounts, useDevices } from '../device-calls.ts'
import {
  type ListState,
  listState,
  noFilters,
  sortText,
} from '../../../parts/devices/device-filters.ts'
import { FilterBar } from './FilterBar.tsx'
import { useMapFirst } from './map-first.ts'
import { SegmentRail } from './SegmentRail.tsx'
import { SegmentsButton } from './SegmentsButton.tsx'

const DevicePanel = late(async () => ({ default: (await import('./DevicePanel.tsx')).DevicePanel }))
const SelectionBar = late(async () => ({
  default: (await import('./SelectionBar.tsx')).SelectionBar,
}))
const RowDialogs = late(async () => ({ default: (await import('./RowDialogs.tsx')).RowDialogs }))

const noIds: ReadonlySet<string> = new Set()

/** The devices of the organization: found, filtered, looked into and changed without leaving the list. */
export function Component() {
  const [search] = useSearch()
  if (useMapFirst(search)) return <Navigate to="/devicemap" search={search} replace />
  return <DeviceList />
}

/** Note in an organization without IoT about the functions that it lacks. */
function SwitchedOff() {
  const t = useWords()
  const { dataEnabled, vpnEnabled, label, name } = useSession().organization
  if (dataEnabled) return null
  const word = vpnEnabled && !hasCapability('remoteAccess') ? 'remoteOnly' : 'withoutIot'
  return <ErrorPanel tone="warning" message={t(`devices.${word}`, { name: label || name })} />
}

function DeviceList() {
  const t = useWords()
  const intl = useIntl()
  const narrow = useNarrow()
  const [search, change] = useSearch()
  const state = listState(search)
  const selection = useSelection()
  const [acting, setActing] = useState<{ action: DeviceAction; device: Device }>()
  const onAction = useCallback(
    (action: DeviceAction, device: Device) => setActing({ action, device }),
    [],
  )
  const list = useListed(state)
  const counts = useCounts(state)
  const columns = useDeviceColumns({ below: state.below, onAction })
  const { rows, total } = list
  const open = (row: Row | undefined) => void change({ device: row?.deviceId })
  return (
    <Page>
      <PageHeader
        title={t('shell.section.devices')}
        count={counts && intl.formatNumber(counts.total)}
        help={t('devices.help')}
        actions={<ListActions />}
      />
      <SwitchedOff />
      <DeviceFigures
        state={state}
        counts={counts}
        onChange={(connection) => void change({ state: connection })}
      />
      <Split>
        {!narrow && <SegmentRail state={state} onChange={change} />}
        <DataTable
          name="devices"
          label={t('shell.section.devices')}
          columns={columns}
          rows={rows}
          rowId={rowId}
          total={total}
          view={state.view}
          sort={state.sort}
          onSort={(sort) => void change({ sort: sortText(sort) })}
          selected={state.open}
          onOpen={open}
          {...selection.table(rows)}
          countsItself
          onMore={list.more}
          fetching={list.fetching}
          toolbar={
            <>
              <FilterBar state={state} onChange={change} />
              {narrow && <SegmentsButton state={state} onChange={change} />}
              {selection.bar({ state, total: total ?? rows.length }, rows)}
            </>
          }
          footer={total !== undefined && <Footer {...{ total, at: list.updatedAt }} />}
          empty={<Empty state={state} list={list} onClear={() => void change(noFilters)} />}
        />
        <OpenPanel rows={rows} open={state.open} onOpen={open} />
      </Split>
      {acting && (
        <Suspense fallback={null}>
          <RowDialogs {...acting} onClose={() => setActing(undefined)} />
        </Suspense>
      )}
    </Page>
  )
}

const rowId = (row: Row) => row.deviceId

/** The rows that are ticked, or all that match; for who may do something with them. */
function useSelection() {
  const may = useMay()
  const [checked, setChecked] = useState(noIds)
  const [everything, setEverything] = useState(false)
  const onChecked = (ids: ReadonlySet<string>) => {
    setChecked(ids)
    setEverything(false)
  }
  const mayAct = may('devices:update') || may('devices:delete') || may('devicegroups:update')
  return {
    table: (rows: readonly Row[]) =>
      mayAct ? { checked: everything ? new Set(rows.map(rowId)) : checked, onChecked } : {},
    bar: (shown: { state: ListState; total: number }, rows: readonly Row[]) =>
      checked.size > 0 && (
        <Suspense fallback={null}>
          <SelectionBar
            {...shown}
            ids={checked}
            everything={everything}
            onEverything={() => {
              // All of them are here: then each is known by its id.
              if (rows.length === shown.total) onChecked(new Set(rows.map(rowId)))
              else setEverything(true)
            }}
            onClear={() => onChecked(noIds)}
          />
        </Suspense>
      ),
  }
}

function Footer({ total, at }: { total: number; at: number }) {
  const t = useWords()
  return (
    <>
      <span>{t('devices.shown', { total })}</span>
      <span>{t('devices.footer', { time: new Date(at), zone: usualZone() })}</span>
    </>
  )
}

/** The pages of the list as rows, with what the socket and the platform know of them. */
function useListed(state: ListState) {
  const list = useDevices(state)
  const pages = list.data?.pages.map(({ data }) => data) ?? []
  const activity = useActivity(pages)
  return {
    rows: useRows(pages.flat(), activity),
    total: list.data?.pages[0]?.totalElements,
    more: () => {
      if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
    },
    fetching: list.isFetching && !list.isPending,
    pending: list.isPending,
    error: list.error,
    retry: () => void list.refetch(),
    updatedAt: list.dataUpdatedAt,
  }
}

type EmptyProps = {
  state: ListState
  list: Pick<ReturnType<typeof useListed>, 'pending' | 'error' | 'retry'>
  onClear: () => void
}

function Empty({ state, list, onClear }: EmptyProps) {
  const errorText = useErrorText()
  if (list.pending) return <RowsSkeleton />
  if (list.error) return <ErrorPanel {...errorText(list.error)} onRetry={list.retry} />
  return <NoDevices state={state} onClear={onClear} />
}

type PanelProps = {
  rows: readonly Row[]
  open: string | undefined
  onOpen: (row: Row | undefined) => void
}

function OpenPanel({ rows, open, onOpen }: PanelProps) {
  if (open === undefined) return null
  return (
    <Suspense fallback={null}>
      <DevicePanel
        key={open}
        deviceId={open}
        onClose={() => onOpen(undefined)}
        {...neighbours(rows, open, onOpen)}
      />
    </Suspense>
  )
}

/** The steps from the open device to the one before and after it. */
function neighbours(rows: readonly Row[], open: string, show: (row: Row) => void) {
  const place = rows.findIndex((row) => row.deviceId === open)
  const [before, after] = place < 0 ? [] : [rows[place - 1], rows[place + 1]]
  return {
    ...(before && { onPrevious: () => show(before) }),
    ...(after && { onNext: () => show(after) }),
  }
}
