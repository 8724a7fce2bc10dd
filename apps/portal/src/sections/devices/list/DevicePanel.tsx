import { SidePanel } from '@longreach/ui/SidePanel'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Button } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { DeviceAlarmMark } from '../../../parts/alarms/DeviceAlarmMark.tsx'
import { deviceQuery } from '../../../parts/devices/devices.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { ConnectionState } from '../ConnectionState.tsx'
import { useRows } from '../device-rows.ts'
import classes from './DevicePanel.module.css'
import { ExploreButton } from '../ExploreButton.tsx'
import { PanelTabs } from './PanelTabs.tsx'
import { PanelPending } from '../../../parts/pages/ContentPending.tsx'

type Props = {
  deviceId: string
  onClose: () => void
  /** To the device before and after it in the list. */
  onPrevious?: () => void
  onNext?: () => void
}

/** A device beside the list: at a glance, and tab by tab what its page says of it. */
export function DevicePanel({ deviceId, onClose, onPrevious, onNext }: Props) {
  const t = useWords()
  const org = useReach()
  const { data, error, refetch } = useQuery(deviceQuery(org, deviceId))
  const [device] = useRows(data ? [data.value] : [])
  if (error || !device)
    return <PanelPending title={t('devices.device')} onClose={onClose} {...{ error, refetch }} />
  return (
    <SidePanel
      title={device.label}
      facts={
        <>
          <ConnectionState connected={device.connected} since={device.since} />
          <DeviceAlarmMark device={device} link />
        </>
      }
      actions={
        <>
          <Button component={Link} to={`/devices/${deviceId}`}>
            {t('devices.openPage')}
          </Button>
          <ExploreButton deviceId={deviceId} />
          <span className={classes.stepButtons}>
            <StepButton label={t('devices.previous')} icon={IconChevronUp} onClick={onPrevious} />
            <StepButton label={t('devices.next')} icon={IconChevronDown} onClick={onNext} />
          </span>
        </>
      }
      onClose={onClose}
    >
      <PanelTabs device={device} />
    </SidePanel>
  )
}

type StepProps = { label: string; icon: typeof IconChevronUp; onClick: (() => void) | undefined }

function StepButton({ label, icon: Icon, onClick }: StepProps) {
  return (
    <ActionIcon
      variant="default"
      size="input-sm"
      aria-label={label}
      title={label}
      disabled={onClick === undefined}
      onClick={onClick}
    >
      <Icon size={16} stroke={1.7} aria-hidden />
    </ActionIcon>
  )
}
