import { late } from '@longreach/ui/late'
import { Panel } from '@longreach/ui/PageHeader'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { type ComponentType } from 'react'
import { DeviceAccessTab } from '../../../parts/access/DeviceAccessTab.tsx'
import { ExportValues } from '../ExportValues.tsx'
import { LiveBadge } from '../../../parts/live/LiveBadge.tsx'
import type { Row } from '../device-columns.tsx'
import { DeviceOverview } from './DeviceOverview.tsx'
import classes from './device-page.module.css'
import type { Tab } from './device-tabs.ts'
import { ChosenValues } from './DeviceValues.tsx'

type Shown = { device: Row }
const tabToCome = <RowsSkeleton rows={8} />
const Configuration = late(() => import('./ConfigurationTab.tsx'), 'ConfigurationTab', tabToCome)
const History = late(() => import('./HistoryTab.tsx'), 'HistoryTab', tabToCome)
const Service = late(() => import('./ServiceTab.tsx'), 'ServiceTab', tabToCome)

/** Content of a tab; all tabs but the overview are loaded when they are opened. */
export function TabContent({ tab, device }: { tab: Tab; device: Row }) {
  const Content = contents[tab]
  return <Content device={device} />
}

const contents: Record<Tab, ComponentType<Shown>> = {
  overview: DeviceOverview,
  data: Data,
  history: History,
  configuration: Configuration,
  access: Access,
  service: Service,
}

function Data({ device }: Shown) {
  const t = useWords()
  return (
    <Panel
      title={t('device-page.tab.data')}
      beside={
        <span className={classes.tools}>
          <ExportValues devices={{ ids: [device.deviceId] }} name={device.label} />
          <LiveBadge />
        </span>
      }
    >
      <ChosenValues device={device} chart />
    </Panel>
  )
}

function Access({ device }: Shown) {
  const t = useWords()
  const [title, help] = [t('devices.tab.access'), t('devices.accessHelp')]
  const { deviceId, orgResourceId } = device
  return <DeviceAccessTab device={deviceId} org={orgResourceId} title={title} help={help} />
}
