import { CopyText } from '@longreach/ui/CopyText'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { Facts, PanelSection, SidePanel } from '@longreach/ui/SidePanel'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Button } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { deviceQuery, useTags } from '../../../lib/devices.ts'
import { useErrorText } from '../../../lib/error-text.ts'
import { LiveBadge } from '../../../lib/LiveBadge.tsx'
import { PresetLink } from '../../../lib/PresetLink.tsx'
import { useReach } from '../../../lib/reach.ts'
import { useSession } from '../../../lib/session.ts'
import { firstChosen } from '../../../lib/tags.ts'
import type { Device } from '../device-calls.ts'
import { ConfigurationState, ConnectionState, useRows } from '../device-columns.tsx'
import { LiveValues } from '../page/LiveValues.tsx'
import { TagChart } from '../../../lib/TagChart.tsx'
import classes from '../devices.module.css'

type Props = {
  deviceId: string
  onClose: () => void
  /** To the device before and after it in the list. */
  onPrevious?: () => void
  onNext?: () => void
}

/** A device beside the list: its live values, the course of some of them, and its facts. */
export function DevicePanel({ deviceId, onClose, onPrevious, onNext }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useReach()
  const { data, error, refetch } = useQuery(deviceQuery(org, deviceId))
  const [device] = useRows(data ? [data.value] : [])
  if (error)
    return (
      <SidePanel title={t('devices.device')} onClose={onClose}>
        <PanelSection>
          <ErrorPanel {...errorText(error)} onRetry={() => void refetch()} />
        </PanelSection>
      </SidePanel>
    )
  if (!device)
    return (
      <SidePanel title={t('devices.device')} onClose={onClose}>
        <PanelSection>
          <RowsSkeleton rows={8} />
        </PanelSection>
      </SidePanel>
    )
  return (
    <SidePanel
      title={device.label}
      facts={<ConnectionState connected={device.connected} since={device.since} />}
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
      <PanelValues device={device} connected={device.connected} />
      <PanelSection title={t('devices.details')}>
        <DeviceFacts device={device} />
      </PanelSection>
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

/** Leads to the explorer with the device's first values on the chart. */
export function ExploreButton({ deviceId }: { deviceId: string }) {
  const t = useWords()
  const { permissions, organization } = useSession()
  const { tags } = useTags(deviceId, { live: false })
  if (!permissions.has('models:read') || !organization.dataEnabled) return null
  const paths = firstChosen(tags)
  const search = { s: paths.map((path) => `${deviceId}/${path}`) } as never // the route tree is made from data, so the router knows no types
  return (
    <Button variant="default" component={Link} to="/data-explore" search={search}>
      {t('devices.explore')}
    </Button>
  )
}

function PanelValues({ device, connected }: { device: Device; connected: boolean }) {
  const t = useWords()
  const { tags } = useTags(device.deviceId)
  const [picked, setPicked] = useState<string[]>()
  const chosen = picked ?? firstChosen(tags)
  const choose = (path: string) =>
    setPicked(
      chosen.includes(path) ? chosen.filter((one) => one !== path) : [...chosen, path].slice(-4),
    )
  return (
    <>
      {tags.length > 0 && (
        <PanelSection title={t('devices.lastMinutes')} beside={<LiveBadge />}>
          <TagChart deviceId={device.deviceId} paths={chosen} height={150} start="15m" />
        </PanelSection>
      )}
      <PanelSection title={t('devices.values')}>
        <LiveValues
          device={device}
          connected={connected}
          chosen={chosen}
          onChoose={choose}
          narrow
          most={40}
        />
      </PanelSection>
    </>
  )
}

/** What is known of a device, name by name. */
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
