import { late } from '@longreach/ui/late'
import { PanelSection } from '@longreach/ui/SidePanel'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords, type MessageId } from '@longreach/ui/use-words'
import { Tabs } from '@mantine/core'
import { type ComponentType, useState } from 'react'
import { AuditTab } from '../../../parts/audit/AuditTab.tsx'
import { DeviceAccessTab } from '../../../parts/access/DeviceAccessTab.tsx'
import { useMay } from '../../../parts/session/session.ts'
import type { Row } from '../device-rows.ts'
import classes from './PanelTabs.module.css'
import { PanelOverview, PanelValues } from './PanelOverview.tsx'
import { withWords } from '../../../parts/words/spoken-words.ts'

type Shown = { device: Row }
const tabToCome = <RowsSkeleton rows={8} />
const Moments = late(
  () => withWords(import('../page/Moments.tsx'), 'device-page'),
  'Moments',
  tabToCome,
)
const Log = late(
  () => withWords(import('../page/DeviceLogTab.tsx'), 'device-page'),
  'DeviceLogTab',
  tabToCome,
)

const none: readonly never[] = []

const contents = {
  overview: PanelOverview,
  values: PanelValues,
  history: inSection(({ device }) => <Moments device={device} kinds={none} window={undefined} />),
  log: inSection(Log),
  access: inSection(Access),
  audit: inSection(({ device }) => <AuditTab resource="devices" id={device.deviceId} />),
} satisfies Record<string, ComponentType<Shown>>
type PanelTab = keyof typeof contents

const words: Record<PanelTab, MessageId> = {
  overview: 'devices.tab.overview',
  values: 'devices.values',
  history: 'devices.tab.history',
  log: 'devices.tab.log',
  access: 'devices.tab.access',
  audit: 'devices.tab.audit',
}

/** Tabs of a device's panel; the chosen tab stays while one goes through the list. */
export function PanelTabs({ device }: Shown) {
  const t = useWords()
  const may = useMay()
  const [chosen, setChosen] = useState<PanelTab>('overview')
  const allowed: Record<string, boolean> = {
    access: may('users:read'),
    audit: may('audit:access'),
  }
  const tabs = (Object.keys(contents) as PanelTab[]) // its keys are these
    .filter((tab) => allowed[tab] !== false)
  const Content = contents[chosen]
  return (
    <Tabs
      value={chosen}
      onChange={(next) => setChosen(tabs.find((tab) => tab === next) ?? 'overview')}
    >
      <Tabs.List className={classes.panelTabs}>
        {tabs.map((tab) => (
          <Tabs.Tab key={tab} value={tab}>
            {t(words[tab])}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={chosen}>
        <Content device={device} />
      </Tabs.Panel>
    </Tabs>
  )
}

function Access({ device }: Shown) {
  const t = useWords()
  return (
    <DeviceAccessTab
      device={device.deviceId}
      org={device.orgResourceId}
      title={t('devices.tab.access')}
      help={t('devices.accessHelp')}
    />
  )
}

function inSection(Content: ComponentType<Shown>) {
  return function InSection(shown: Shown) {
    return (
      <PanelSection>
        <div className={classes.bare}>
          <Content {...shown} />
        </div>
      </PanelSection>
    )
  }
}
