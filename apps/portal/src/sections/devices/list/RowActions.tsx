import { late } from '@longreach/ui/late'
import type { Translate } from '@longreach/ui/use-words'
import { IconActivity, IconDots, IconPencil } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../../parts/session/session.ts'
import type { DeviceAction } from '../device-actions.ts'
import type { Device } from '../device-calls.ts'
import shared from '../devices.module.css'
import classes from './RowActions.module.css'
import { linkTo } from '../../../parts/pages/page-links.ts'

const RowMenu = late(
  () => import('./RowMenu.tsx'),
  'RowMenu',
  <IconDots size={15} stroke={1.6} aria-hidden />,
)

type Props = {
  device: Device
  t: Translate
  onAction: (action: DeviceAction, device: Device) => void
}

/** Buttons of the most frequent actions at the end of a row, while the pointer or the focus is there. */
export function RowActions({ device, t, onAction }: Props) {
  const may = useMay()
  const [open, setOpen] = useState(false)
  const more = t('devices.moreOf', { device: device.label })
  return (
    <span className={classes.quick} data-open={open || undefined}>
      <Link
        {...linkTo('/devices/$deviceId', {
          params: { deviceId: device.deviceId },
          search: { tab: 'data' },
        })}
        className={shared.quickOne}
        aria-label={t('devices.valuesOf', { device: device.label })}
        title={t('devices.values')}
      >
        <IconActivity size={15} stroke={1.6} aria-hidden />
      </Link>
      {may('devices:update') && (
        <button
          type="button"
          className={shared.quickOne}
          aria-label={t('devices.editOf', { device: device.label })}
          title={t('devices.edit')}
          onClick={() => onAction('edit', device)}
        >
          <IconPencil size={15} stroke={1.6} aria-hidden />
        </button>
      )}
      {open ? (
        <RowMenu
          label={more}
          onClose={() => setOpen(false)}
          onPick={(action) => onAction(action, device)}
        />
      ) : (
        <button
          type="button"
          className={shared.quickOne}
          aria-label={more}
          aria-haspopup="menu"
          onClick={() => setOpen(true)}
        >
          <IconDots size={15} stroke={1.6} aria-hidden />
        </button>
      )}
    </span>
  )
}
