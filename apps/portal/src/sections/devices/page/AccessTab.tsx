import { useWords } from '@longreach/ui/use-words'
import { DeviceAccessTab } from '../../../parts/access/DeviceAccessTab.tsx'
import type { Row } from '../device-rows.ts'

/** Tab with the people and rules that reach the device. */
export function AccessTab({ device }: { device: Row }) {
  const t = useWords()
  const [title, help] = [t('devices.tab.access'), t('devices.accessHelp')]
  const { deviceId, orgResourceId } = device
  return <DeviceAccessTab device={deviceId} org={orgResourceId} title={title} help={help} />
}
