import { late } from '@longreach/ui/late'
import { Page, PageHeader, Panel, Split } from '@longreach/ui/PageHeader'
import { useNarrow } from '@longreach/ui/use-narrow'
import { useWords } from '@longreach/ui/use-words'
import { Alert } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useIntl } from 'react-intl'
import { FollowDeviceAlarms } from '../../parts/alarms/FollowDeviceAlarms.tsx'
import { listState } from '../../parts/devices/device-filters.ts'
import { onIdle } from '@longreach/ui/on-idle'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { deviceParts } from '../devices/section.ts'
import { MapArea } from './MapArea.tsx'
import { useExtent, useFigures, useUnplaced } from './map-calls.ts'
import { MapList } from './MapList.tsx'
import { MoveSwitch } from './MoveSwitch.tsx'
import { SegmentSelect } from './SegmentSelect.tsx'
import { useMap } from './use-map.ts'
import classes from './DeviceMapPage.module.css'

const DevicePanel = late(deviceParts.panel, 'DevicePanel')
const FilterBar = late(deviceParts.filters, 'FilterBar', <div className={classes.filters} />)
const DeviceFigures = late(
  deviceParts.figures,
  'DeviceFigures',
  <div className={classes.figures} />,
)

/** Page of the devices on a map, with a list of those in view beside it. */
export function Component() {
  const t = useWords()
  const intl = useIntl()
  const narrow = useNarrow()
  const [search, change] = useSearch()
  const state = listState(search)
  const [movable, setMovable] = useState(false)
  const figures = useFigures(state)
  const extent = useExtent(state)
  const unplaced = useUnplaced(state)
  const map = useMap(one(search['at']), (at) => void change({ at }))
  const countText = (placed: number) =>
    unplaced
      ? t('device-map.placedOf', { placed, total: placed + unplaced })
      : intl.formatNumber(placed)
  useEffect(() => onIdle(() => void deviceParts.panel()), [])
  const open = (device: string | undefined) => void change({ device })
  const onTray = (tray: boolean) => void change({ tray: tray ? '1' : undefined })
  return (
    <Page>
      <PageHeader
        title={t('shell.section.device-map')}
        count={extent && countText(extent.count)}
        help={t('device-map.help')}
        actions={map.works && <MoveSwitch on={movable} onChange={setMovable} />}
      />
      {!narrow && (
        <DeviceFigures
          state={state}
          counts={figures}
          onChange={(connection) => void change({ state: connection })}
        />
      )}
      <Panel>
        <div className={classes.toolbar}>
          <FilterBar state={state} onChange={change} onMap />
          <SegmentSelect value={state.segment} onChange={(segment) => void change({ segment })} />
        </div>
      </Panel>
      <FollowDeviceAlarms />
      {!map.works && <NoDrawing />}
      <Split>
        {map.works && (
          <MapArea {...{ state, map, extent, movable }} onOpen={open} onTray={() => onTray(true)} />
        )}
        <MapList
          state={state}
          view={map.works ? map.view : undefined}
          tray={one(search['tray']) === '1'}
          whole={!map.works}
          open={state.open}
          onTray={onTray}
          onOpen={(device) => {
            open(device.deviceId)
            map.show(device)
          }}
        />
        {state.open !== undefined && (
          <DevicePanel key={state.open} deviceId={state.open} onClose={() => open(undefined)} />
        )}
      </Split>
    </Page>
  )
}

function NoDrawing() {
  const t = useWords()
  return (
    <Alert icon={<IconMapOff size={18} />} title={t('device-map.noDrawing')}>
      {t('device-map.noDrawingText')}
    </Alert>
  )
}
