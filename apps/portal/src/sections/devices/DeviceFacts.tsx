import { CopyText } from '@longreach/ui/CopyText'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { Facts } from '@longreach/ui/SidePanel'
import { useWords } from '@longreach/ui/use-words'
import { PresetLink } from './PresetLink.tsx'
import type { Device } from './device-calls.ts'
import { ConfigurationState } from './ConfigurationState.tsx'

/** List of a device's facts, each with its name. */
export function DeviceFacts({ device }: { device: Device }) {
  const t = useWords()
  const items = [
    { label: t('devices.id'), value: <CopyText text={device.deviceId} label={t('devices.id')} /> },
    {
      label: t('devices.preset'),
      value: <PresetLink preset={device} deviceId={device.deviceId} none={t('devices.noPreset')} />,
    },
    {
      label: t('devices.model'),
      value: device.modelName ? `${device.modelName} ${device.modelVersion ?? ''}` : '—',
    },
    { label: t('devices.configuration'), value: <ConfigurationState device={device} /> },
    { label: t('devices.organization'), value: <code>{device.orgResourceId}</code> },
    ...(device.description ? [{ label: t('devices.description'), value: device.description }] : []),
    { label: t('devices.created'), value: <RelativeTime at={device.creationDate} /> },
    { label: t('devices.changed'), value: <RelativeTime at={device.updatedAt} /> },
  ]
  return <Facts items={items} />
}
