import { late } from '@longreach/ui/late'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import type { ComponentType } from 'react'
import type { Row } from '../device-rows.ts'
import { alarmParts } from '../../alarms/section.ts'
import { DeviceOverview } from './DeviceOverview.tsx'
import type { Tab } from './device-tabs.ts'

type Shown = { device: Row }
const tabToCome = <RowsSkeleton rows={8} />
const Configuration = late(() => import('./ConfigurationTab.tsx'), 'ConfigurationTab', tabToCome)
const Data = late(() => import('./DataTab.tsx'), 'DataTab', tabToCome)
const Access = late(() => import('./AccessTab.tsx'), 'AccessTab', tabToCome)
const History = late(() => import('./HistoryTab.tsx'), 'HistoryTab', tabToCome)
const Alarms = late(alarmParts.deviceTab, 'DeviceAlarmsTab', tabToCome)
const Service = late(() => import('./ServiceTab.tsx'), 'ServiceTab', tabToCome)

/** Content of a tab; all tabs but the overview are loaded when they are opened. */
export function TabContent({ tab, device }: { tab: Tab; device: Row }) {
  const Content = contents[tab]
  return <Content device={device} />
}

const contents: Record<Tab, ComponentType<Shown>> = {
  overview: DeviceOverview,
  data: Data,
  alarms: ({ device: { deviceId } }) => <Alarms deviceId={deviceId} />,
  history: History,
  configuration: Configuration,
  access: Access,
  service: Service,
}
