import { late } from '@longreach/ui/late'
import { hasCapability } from '@longreach/authorization/product-capabilities'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { ListPage } from '../../../parts/pages/ListPage.tsx'
import { useNarrow } from '@longreach/ui/use-narrow'
import { useWords } from '@longreach/ui/use-words'
import { Navigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { FollowDeviceAlarms } from '../../../parts/alarms/FollowDeviceAlarms.tsx'
import { useMay, useSession } from '../../../parts/session/session.ts'
import { usualZone } from '../../../parts/look/time-zone.ts'
import { useSearch } from '../../../parts/pages/use-search.ts'
import { DeviceFigures, FirstSteps, ListActions } from './DeviceListParts.tsx'
import type { DeviceAction } from '../device-actions.ts'
import { type Row, useRows } from '../device-rows.ts'
import { useDeviceColumns } from '../device-columns.tsx'
import {
  countsQuery,
  type Device,
  devicesQuery,
  segmentsQuery,
  useActivity,
  useCounts,
  useDevices,
} from '../device-calls.ts'
import { queries } from '../../../parts/api/queries.ts'
import type { Asked } from '../../../parts/pages/section.ts'
import {
  isFiltered,
  type ListState,
  listState,
  noFilters,
  sortText,
} from '../../../parts/devices/device-filters.ts'
import { FilterBar } from './FilterBar.tsx'
import { useMapFirst } from './map-first.ts'
import { SegmentRail } from './SegmentRail.tsx'
import { SegmentsButton } from './SegmentsButton.tsx'

const DevicePanel = late(() => import('./DevicePanel.tsx'), 'DevicePanel')
const SelectionBar = late(() => import('./SelectionBar.tsx'), 'SelectionBar')
const RowDialogs = late(() => import('./RowDialogs.tsx'), 'RowDialogs')

const noIds: ReadonlySet<string> = new Set()

/** Starts the calls for the list, its figures and its saved views. */
export function loader({ org, search }: Asked) {
  const state = listState(search)
  void queries.prefetchInfiniteQuery(devicesQuery(state, org))
  void queries.prefetchQuery(countsQuery(state, org))
  void queries.prefetchQuery(segmentsQuery(state, org))
}

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
  const narrow = useNarrow()
  const [search, change] = useSearch()
  const state = listState(search)
  const selection = useSelection()
  const [acting, setActing] = useState<{ action: DeviceAction; device: Device }>()
  const onAction = useCallback(
    (action: DeviceAction, device: Device) => setActing({ action, device }),
    [],
  )
  const { list, rows, total } = useListed(state)
  const counts = useCounts(state)
  const columns = useDeviceColumns({ below: state.below, onAction })
  const open = (row: Row | undefined) => void change({ device: row?.deviceId })
  return (
    <ListPage
      title={t('shell.section.devices')}
      count={counts?.total}
      help={t('devices.help')}
      actions={<ListActions />}
      above={
        <>
          <SwitchedOff />
          <DeviceFigures
            state={state}
            counts={counts}
            onChange={(connection) => void change({ state: connection })}
          />
        </>
      }
      before={!narrow && <SegmentRail state={state} onChange={change} />}
      name="devices"
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
      list={list}
      toolbar={
        <>
          <FilterBar state={state} onChange={change} />
          {narrow && <SegmentsButton state={state} onChange={change} />}
          {selection.bar({ state, total: total ?? rows.length }, rows)}
        </>
      }
      footer={total !== undefined && <Footer {...{ total, at: list.dataUpdatedAt }} />}
      none={{ title: t('devices.none'), text: t('devices.noneText'), action: <FirstSteps /> }}
      filtered={
        isFiltered(state)
          ? {
              title: t('devices.notFound'),
              text: t('devices.notFoundText'),
              clear: t('devices.clearFilter'),
              onClear: () => void change(noFilters),
            }
          : undefined
      }
      panel={<OpenPanel rows={rows} open={state.open} onOpen={open} />}
    >
      <FollowDeviceAlarms />
      {acting && <RowDialogs {...acting} onClose={() => setActing(undefined)} />}
    </ListPage>
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
    list,
    rows: useRows(pages.flat(), activity),
    total: list.data?.pages[0]?.totalElements,
  }
}

type PanelProps = {
  rows: readonly Row[]
  open: string | undefined
  onOpen: (row: Row | undefined) => void
}

function OpenPanel({ rows, open, onOpen }: PanelProps) {
  if (open === undefined) return null
  return (
    <DevicePanel
      key={open}
      deviceId={open}
      onClose={() => onOpen(undefined)}
      {...neighbours(rows, open, onOpen)}
    />
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
