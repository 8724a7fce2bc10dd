import { late } from '@longreach/ui/late'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconArrowLeft, IconMapPinOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { useErrorText } from '../../parts/words/error-text.ts'
import type { ListState } from '../../parts/devices/device-filters.ts'
import { type Device, useListed, useUnplaced } from './map-calls.ts'
import type { View } from './map-stage.ts'
import { MapRow } from './MapRow.tsx'
import { usePlacingOnMap } from './use-placing.ts'
import shared from './device-map.module.css'
import classes from './MapList.module.css'

const PositionDialog = late(() => import('./PositionDialog.tsx'), 'PositionDialog')

type Props = {
  state: ListState
  view: View | undefined
  /** Devices without a position instead of those in view. */
  tray: boolean
  /** There is no map beside it. */
  whole: boolean
  open: string | undefined
  onTray: (tray: boolean) => void
  onOpen: (device: Device) => void
}

/** The devices in view, the worst first: what the map shows, for the keyboard and for reading. */
export function MapList({ state, view, tray, whole, open, onTray, onOpen }: Props) {
  const t = useWords()
  const place = usePlacingOnMap()
  const [positioned, setPositioned] = useState<Device>()
  // Without a map nothing limits what is in view.
  const list = useListed(state, whole ? wholeWorld : view, tray)
  const pages = list.data?.pages ?? []
  const devices = pages.flatMap(({ data }) => data)
  return (
    <section
      className={shared.list}
      data-whole={whole || undefined}
      data-hidden={open !== undefined || undefined}
      aria-label={tray ? t('device-map.withoutPosition') : t('device-map.inView')}
    >
      <ListHead {...{ state, tray, onTray }} total={pages[0]?.totalElements} />
      <Rows list={list} count={devices.length} tray={tray} />
      <ul className={classes.rows}>
        {devices.map((device) => (
          <MapRow
            key={device.deviceId}
            device={device}
            current={device.deviceId === open}
            onOpen={() => onOpen(device)}
            onPosition={() => setPositioned(device)}
            onPlace={
              tray && view
                ? () =>
                    place({ device: { ...device, id: device.deviceId }, to: view, before: null })
                : undefined
            }
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button
          variant="default"
          className={classes.more}
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t('device-map.more')}
        </Button>
      )}
      {positioned && (
        <PositionDialog device={positioned} onClose={() => setPositioned(undefined)} />
      )}
    </section>
  )
}

type HeadProps = Pick<Props, 'state' | 'tray' | 'onTray'> & { total: number | undefined }

/** Heading with the number of listed devices, and the button to the devices without a position. */
function ListHead({ state, tray, onTray, total }: HeadProps) {
  const t = useWords()
  const intl = useIntl()
  const unplaced = useUnplaced(state) ?? 0
  const Icon = tray ? IconArrowLeft : IconMapPinOff
  return (
    <header className={shared.listHead}>
      <h2>
        {tray ? t('device-map.withoutPosition') : t('device-map.inView')}
        {total !== undefined && (
          <span className={classes.listCount}>{intl.formatNumber(total)}</span>
        )}
      </h2>
      {(tray || unplaced > 0) && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Icon size={14} aria-hidden />}
          onClick={() => onTray(!tray)}
        >
          {tray ? t('device-map.backToView') : t('device-map.tray', { count: unplaced })}
        </Button>
      )}
    </header>
  )
}

const wholeWorld: View = {
  zoom: 0,
  lat: 0,
  lon: 0,
  box: { north: 90, south: -90, west: -180, east: 180 },
}

type RowsProps = { list: ReturnType<typeof useListed>; count: number; tray: boolean }

/** Placeholder while the rows load, after an error, and if there are none. */
function Rows({ list, count, tray }: RowsProps) {
  const t = useWords()
  const errorText = useErrorText()
  if (list.isPending) return <RowsSkeleton rows={6} />
  if (list.error) {
    const retry = () => void list.refetch()
    return <ErrorPanel {...errorText(list.error)} onRetry={retry} />
  }
  if (count > 0) return null
  const title = tray ? 'allPlaced' : 'noneInView'
  return (
    <EmptyState
      kind="nothing"
      title={t(`device-map.${title}`)}
      text={t(`device-map.${title}Text`)}
    />
  )
}
