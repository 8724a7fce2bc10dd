import { actionProps } from '@longreach/ui/action-props'
import { ActionButton } from '@longreach/ui/ActionButton'
import { Hint } from '@longreach/ui/Hint'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon } from '@mantine/core'
import { IconMapPinCog } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { DeviceAlarmMark } from '../../parts/alarms/DeviceAlarmMark.tsx'
import { useMay } from '../../parts/session/session.ts'
import { stateOf } from './cluster-rules.ts'
import type { Device } from './map-calls.ts'
import { StateShape } from './StateShape.tsx'
import classes from './MapRow.module.css'

type Props = {
  device: Device
  current: boolean
  onOpen: () => void
  onPosition: () => void
  /** Puts it where the map looks. */
  onPlace: (() => void) | undefined
}

/** A device in the list beside the map. */
export function MapRow({ device, current, onOpen, onPosition, onPlace }: Props) {
  const t = useWords()
  const may = useMay()('devices:update')
  const button = useRef<HTMLButtonElement>(null)
  const was = useRef(current)
  useEffect(() => {
    // Its panel was closed: back to where the reader was.
    if (was.current && !current) button.current?.focus()
    was.current = current
  }, [current])
  const state = stateOf(device)
  const reason = may ? undefined : t('device-map.mayNotMove')
  return (
    <li className={classes.row} data-current={current || undefined}>
      <button ref={button} type="button" className={classes.rowMain} onClick={onOpen}>
        <StateShape state={state} />
        <span className={classes.rowText}>
          <span className={classes.rowName}>{device.label}</span>
          <span className={classes.rowMore}>
            {t(`device-map.state.${state}`)} · {device.presetName || device.orgResourceId}
          </span>
        </span>
        <DeviceAlarmMark device={device} />
      </button>
      {onPlace && (
        <ActionButton
          reason={reason}
          variant="default"
          size="compact-sm"
          aria-label={t('device-map.placeHereOf', { device: device.label })}
          onClick={onPlace}
        >
          {t('device-map.placeHere')}
        </ActionButton>
      )}
      <Hint text={reason}>
        <ActionIcon
          variant="subtle"
          size="md"
          aria-label={t('device-map.positionOf', { device: device.label })}
          {...actionProps(!may, onPosition)}
        >
          <IconMapPinCog size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Hint>
    </li>
  )
}
