import { useSession } from '../../../parts/session/session.ts'
import { AssignPresetDialog } from '../AssignPresetDialog.tsx'
import { BulkDialog } from './BulkDialog.tsx'
import type { DeviceAction } from '../device-actions.ts'
import type { Device } from '../device-calls.ts'
import { DeleteDeviceDialog } from '../DeleteDeviceDialog.tsx'
import { EditDeviceDialog } from '../EditDeviceDialog.tsx'
import { MoveDeviceDialog } from '../MoveDeviceDialog.tsx'

type Props = { action: DeviceAction; device: Device; onClose: () => void }

const nothing = () => undefined
const kinds = { attribute: 'setAttribute', group: 'addToGroup' } as const

/** The dialog of what is done to one device from its row. */
export function RowDialogs({ action, device, onClose }: Props) {
  const organization = `${useSession().organization.resourceId}.*`
  switch (action) {
    case 'edit':
      return <EditDeviceDialog device={device} onClose={onClose} />
    case 'preset':
      return <AssignPresetDialog device={device} onClose={onClose} />
    case 'move':
      return <MoveDeviceDialog device={device} onClose={onClose} onMoved={onClose} />
    case 'delete':
      return <DeleteDeviceDialog device={device} onClose={onClose} onDeleted={onClose} />
    case 'attribute':
    case 'group':
      return (
        <BulkDialog
          kind={kinds[action]}
          count={1}
          selection={{ ids: [device.deviceId] }}
          organization={organization}
          onClose={onClose}
          onStarted={nothing}
        />
      )
  }
}
