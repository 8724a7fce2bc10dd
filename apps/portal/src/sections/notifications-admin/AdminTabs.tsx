import { useWords } from '@longreach/ui/use-words'
import { Tabs } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { PulseCard } from './PulseCard.tsx'

export const tabNames = ['rules', 'channels', 'escalations', 'on-call', 'deliveries'] as const
export type TabName = (typeof tabNames)[number]

/** Lists of the section, each with an address of its own, above the pulse. */
export function AdminTabs({ chosen }: { chosen: TabName }) {
  const t = useWords()
  return (
    <>
      <Tabs value={chosen}>
        <Tabs.List>
          {tabNames.map((name) => (
            <Tabs.Tab
              key={name}
              value={name}
              renderRoot={(props) => (
                <Link
                  to="/admin/notifications"
                  search={name === 'rules' ? {} : { tab: name }}
                  {...props}
                />
              )}
            >
              {t(`notifications-admin.tab.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <PulseCard />
    </>
  )
}
