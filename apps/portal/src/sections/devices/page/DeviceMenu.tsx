import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Menu } from '@mantine/core'
import { IconClockPause, IconDots, IconPrinter, IconRoute } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { createElement, useState } from 'react'
import { useMay } from '../../../parts/session/session.ts'
import { deviceActionIcons } from '../device-action-icons.ts'
import type { Row } from '../device-rows.ts'
import { linkTo } from '../../../parts/pages/page-links.ts'
import { withWords } from '../../../parts/words/spoken-words.ts'

// Nobody needs a dialog to see the device: each comes when it is opened.
const EditDeviceDialog = late(() => import('../EditDeviceDialog.tsx'), 'EditDeviceDialog')
const AssignPresetDialog = late(() => import('../AssignPresetDialog.tsx'), 'AssignPresetDialog')
const ConnectDialog = late(() => import('../bring-in/AddDeviceDialog.tsx'), 'ConnectDialog')
const MoveDeviceDialog = late(() => import('../MoveDeviceDialog.tsx'), 'MoveDeviceDialog')
const DeleteDeviceDialog = late(() => import('../DeleteDeviceDialog.tsx'), 'DeleteDeviceDialog')

const ShelveDialog = late(
  () => withWords(import('../../../parts/alarms/ShelveDialog.tsx'), 'alarm-shelves'),
  'ShelveDialog',
)

const icon = { size: 16, stroke: 1.6 } as const

type Dialog = 'edit' | 'preset' | 'connect' | 'move' | 'delete'
type Opened = Dialog | 'shelve'

/** Menu of the actions on the device; a disabled one gives the reason. */
export function DeviceMenu({ device }: { device: Row }) {
  const t = useWords()
  const may = useMay()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<Opened>()
  const close = () => setDialog(undefined)
  const item = (name: Dialog, label: string, allowed: boolean, reason: string) => (
    <Menu.Item
      leftSection={createElement(deviceActionIcons[name], icon)}
      disabled={!allowed}
      {...(!allowed && { title: reason })}
      {...(name === 'delete' && allowed && { c: 'var(--lr-alarm)' })}
      onClick={() => setDialog(name)}
    >
      {label}
    </Menu.Item>
  )
  const update = may('devices:update')
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t('devices.actions')}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {item('edit', t('devices.edit'), update, t('devices.mayNotUpdate'))}
          {item(
            'preset',
            t('devices.assign'),
            update && may('models:read'),
            t('devices.mayNotUpdate'),
          )}
          {item('connect', t('devices.connect'), update, t('devices.mayNotUpdate'))}
          <Menu.Item
            leftSection={<IconPrinter {...icon} />}
            component={Link}
            {...linkTo('/devices/labels', { search: { device: [device.deviceId] } })}
          >
            {t('devices.labels')}
          </Menu.Item>
          {may('models:read') && may('devices:create') && <WalkItem deviceId={device.deviceId} />}
          {may('alarms:ack') && <ShelveItem onClick={() => setDialog('shelve')} />}
          <Menu.Divider />
          {item('move', t('devices.move'), may('devices:delete'), t('devices.mayNotDelete'))}
          {item('delete', t('devices.delete'), may('devices:delete'), t('devices.mayNotDelete'))}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'edit' && <EditDeviceDialog device={device} onClose={close} />}
      {dialog === 'preset' && <AssignPresetDialog device={device} onClose={close} />}
      {dialog === 'connect' && <ConnectDialog device={device} onClose={close} />}
      {dialog === 'shelve' && (
        <ShelveDialog
          about={{ type: 'device', id: device.deviceId, name: device.label }}
          onClose={close}
        />
      )}
      {dialog === 'move' && (
        <MoveDeviceDialog
          device={device}
          onClose={close}
          onMoved={() => void navigate({ to: '/devices' })}
        />
      )}
      {dialog === 'delete' && (
        <DeleteDeviceDialog
          device={device}
          onClose={close}
          onDeleted={() => void navigate({ to: '/devices' })}
        />
      )}
    </>
  )
}

/** Leads to the walkthrough that makes a model and a preset of the device. */
function WalkItem({ deviceId }: { deviceId: string }) {
  const t = useWords()
  return (
    <Menu.Item
      leftSection={<IconRoute {...icon} />}
      component={Link}
      {...linkTo('/walkthrough', { search: { kind: 'own', device: deviceId, step: '3' } })}
    >
      {t('devices.walk')}
    </Menu.Item>
  )
}

function ShelveItem({ onClick }: { onClick: () => void }) {
  const t = useWords()
  return (
    <Menu.Item leftSection={<IconClockPause {...icon} />} onClick={onClick}>
      {t('device-page.shelveAlarms')}
    </Menu.Item>
  )
}
