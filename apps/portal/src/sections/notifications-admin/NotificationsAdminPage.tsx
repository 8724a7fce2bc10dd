import { one, useSearch } from '../../parts/pages/use-search.ts'
import { type TabName, tabNames } from './AdminTabs.tsx'
import { ChannelsTab } from './ChannelsTab.tsx'
import { DeliveriesTab } from './DeliveriesTab.tsx'
import { EscalationsTab } from './EscalationsTab.tsx'
import { OnCallTab } from './OnCallTab.tsx'
import { RulesTab } from './RulesTab.tsx'

const tabs: Record<TabName, () => React.JSX.Element> = {
  rules: RulesTab,
  channels: ChannelsTab,
  escalations: EscalationsTab,
  'on-call': OnCallTab,
  deliveries: DeliveriesTab,
}

/** Rules, channels and deliveries of notifications. */
export function Component() {
  const [search] = useSearch()
  const Chosen = tabs[tabNames.find((name) => name === one(search['tab'])) ?? 'rules']
  return <Chosen />
}
