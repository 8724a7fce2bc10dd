import { Panel } from '@longreach/ui/PageHeader'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { lazy, Suspense } from 'react'
import { AuditTab } from '../../lib/AuditTab.tsx'
import { DeviceAccessTab } from '../../lib/DeviceAccessTab.tsx'
import { LiveBadge } from '../../lib/LiveBadge.tsx'
import { needWords } from '../../lib/spoken-words.ts'
import type { Row } from './device-columns.tsx'
import { DeviceOverview } from './DeviceOverview.tsx'
import type { Tab } from './device-tabs.ts'
import { ChosenValues } from './DeviceValues.tsx'

type Shown = { device: Row }
const later = (load: () => Promise<(props: Shown) => React.ReactNode>) =>
  lazy(async () => ({ default: await load() }))

const Configuration = later(async () => (await import('./ConfigurationTab.tsx')).ConfigurationTab)
const Connection = later(async () => (await import('./ConnectionTab.tsx')).ConnectionTab)
const TimeLine = later(async () => (await import('./TimeLineTab.tsx')).TimeLineTab)
const Log = later(async () => (await import('./DeviceLogTab.tsx')).DeviceLogTab)
const Console = lazy(async () => ({ default: (await import('./ConsoleTab.tsx')).ConsoleTab }))

const Sources = later(async () => {
  const [tab] = await Promise.all([import('./SourcesTab.tsx'), needWords('gateway')])
  return tab.SourcesTab
})

/** What stands below a tab; what the overview does not need comes when it is opened. */
export function TabContent({ tab, device }: { tab: Tab; device: Row }) {
  return (
    <Suspense fallback={<RowsSkeleton rows={8} />}>
      <Content tab={tab} device={device} />
    </Suspense>
  )
}

function Content({ tab, device }: { tab: Tab; device: Row }) {
  const t = useWords()
  switch (tab) {
    case 'overview':
      return <DeviceOverview device={device} />
    case 'configuration':
      return <Configuration device={device} />
    case 'connection':
      return <Connection device={device} />
    case 'timeline':
      return <TimeLine device={device} />
    case 'log':
      return <Log device={device} />
    case 'sources':
      return <Sources device={device} />
    case 'console':
      return <Console deviceId={device.deviceId} />
    case 'audit':
      return <AuditTab resource="devices" id={device.deviceId} />
    case 'access': {
      const help = t('devices.accessHelp')
      return (
        <DeviceAccessTab device={device.deviceId} title={t('devices.tab.access')} help={help} />
      )
    }
    case 'values':
    case 'chart':
      return (
        <Panel
          title={t(tab === 'chart' ? 'device-page.tab.data' : 'devices.tab.values')}
          beside={<LiveBadge />}
        >
          <ChosenValues device={device} chart={tab === 'chart'} />
        </Panel>
      )
  }
}
