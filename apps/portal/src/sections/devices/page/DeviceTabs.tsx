import { Panel } from '@longreach/ui/PageHeader'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { AuditTab } from '../../../lib/AuditTab.tsx'
import { DeviceAccessTab } from '../../../lib/DeviceAccessTab.tsx'
import { ExportValues } from '../../../lib/ExportValues.tsx'
import { LiveBadge } from '../../../lib/LiveBadge.tsx'
import { needWords } from '../../../lib/spoken-words.ts'
import type { Row } from '../device-columns.tsx'
import { DeviceOverview } from './DeviceOverview.tsx'
import type { Tab } from './device-tabs.ts'
import { ChosenValues } from './DeviceValues.tsx'

type Shown = { device: Row }
const later = (load: () => Promise<(props: Shown) => ReactNode>) =>
  lazy(async () => ({ default: await load() }))

const Configuration = later(async () => (await import('./ConfigurationTab.tsx')).ConfigurationTab)
const Connection = later(async () => (await import('./ConnectionTab.tsx')).ConnectionTab)
const TimeLine = later(async () => (await import('./TimeLineTab.tsx')).TimeLineTab)
const Log = later(async () => (await import('./DeviceLogTab.tsx')).DeviceLogTab)
const Console = lazy(async () => ({ default: (await import('./ConsoleTab.tsx')).ConsoleTab }))

const Sources = later(async () => {
  const [tab] = await Promise.all([import('../sources/SourcesTab.tsx'), needWords('gateway')])
  return tab.SourcesTab
})

/** What stands below a tab; what the overview does not need comes when it is opened. */
export function TabContent({ tab, device }: { tab: Tab; device: Row }) {
  const Content = contents[tab]
  return (
    <Suspense fallback={<RowsSkeleton rows={8} />}>
      <Content device={device} />
    </Suspense>
  )
}

const contents: Record<Tab, ComponentType<Shown>> = {
  overview: DeviceOverview,
  values: ({ device }) => <Values device={device} title="devices.tab.values" chart={false} />,
  chart: ({ device }) => <Values device={device} title="device-page.tab.data" chart />,
  configuration: Configuration,
  sources: Sources,
  log: Log,
  connection: Connection,
  timeline: TimeLine,
  console: ({ device }) => <Console deviceId={device.deviceId} />,
  access: Access,
  audit: ({ device }) => <AuditTab resource="devices" id={device.deviceId} />,
}

function Values({ device, title, chart }: Shown & { title: string; chart: boolean }) {
  const t = useWords()
  return (
    <Panel
      title={t(title)}
      beside={
        <>
          {chart && <ExportValues devices={{ ids: [device.deviceId] }} name={device.label} />}
          <LiveBadge />
        </>
      }
    >
      <ChosenValues device={device} chart={chart} />
    </Panel>
  )
}

function Access({ device }: Shown) {
  const t = useWords()
  const [title, help] = [t('devices.tab.access'), t('devices.accessHelp')]
  const { deviceId, orgResourceId } = device
  return <DeviceAccessTab device={deviceId} org={orgResourceId} title={title} help={help} />
}
