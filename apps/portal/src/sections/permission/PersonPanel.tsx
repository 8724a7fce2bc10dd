import { late } from '@longreach/ui/late'
import { PanelSection, SidePanel } from '@longreach/ui/SidePanel'
import { Tag } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Tabs } from '@mantine/core'
import { PanelPending } from '../../parts/pages/ContentPending.tsx'
import { useMay } from '../../parts/session/session.ts'
import { AccountState } from './people-columns.tsx'
import { type Person, personName, usePerson } from './people-calls.ts'
import { type Tab, tabs } from './people-url.ts'
import classes from './PersonPanel.module.css'
import { PersonMenu } from './PersonMenu.tsx'
import { ProfileTab } from './ProfileTab.tsx'

const GroupsTab = late(() => import('./GroupsTab.tsx'), 'GroupsTab')
const DevicesTab = late(() => import('./DevicesTab.tsx'), 'DevicesTab')
const SecurityTab = late(() => import('./SecurityTab.tsx'), 'SecurityTab')
const UserAccess = late(() => import('../../parts/access/UserAccess.tsx'), 'UserAccess')

type Props = { user: string; tab: Tab | undefined; onTab: (tab: Tab) => void; onClose: () => void }

/** A person beside the list: who they are, what they belong to, how they sign in, what they may do. */
export function PersonPanel({ user, tab, onTab, onClose }: Props) {
  const t = useWords()
  const { data, error, refetch } = usePerson(user)
  const shown = useTabs(data)
  if (!data)
    return (
      <PanelPending
        title={t('permission.person')}
        onClose={onClose}
        kind="person"
        {...{ error, refetch }}
      />
    )
  const here = shown.find((one) => one === tab) ?? shown[0] ?? 'profile'
  return (
    <SidePanel
      title={personName(data)}
      facts={
        <>
          <AccountState state={data.enabled ? 'ACTIVE' : 'DISABLED'} />
          {data.serviceAccount && <Tag tone="info">{t('permission.service')}</Tag>}
        </>
      }
      actions={<PersonMenu person={data} onGone={onClose} />}
      onClose={onClose}
    >
      <Tabs value={here} onChange={(next) => next !== null && onTab(next as Tab)}>
        <Tabs.List className={classes.panelTabs}>
          {shown.map((one) => (
            <Tabs.Tab key={one} value={one} px={8}>
              {t(`permission.tab.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={here}>
          <PanelSection>
            <Content tab={here} person={data} />
          </PanelSection>
        </Tabs.Panel>
      </Tabs>
    </SidePanel>
  )
}

function Content({ tab, person }: { tab: Tab; person: Person }) {
  if (tab === 'groups') return <GroupsTab person={person} />
  if (tab === 'devices') return <DevicesTab person={person} />
  if (tab === 'security') return <SecurityTab person={person} />
  if (tab === 'access') return <UserAccess user={person.id} />
  return (
    <ProfileTab key={`${person.email} ${person.firstName} ${person.lastName}`} person={person} />
  )
}

/** A tab that the reader may not fill is not there. */
function useTabs(person: Person | undefined): readonly Tab[] {
  const may = useMay()
  return tabs.filter((tab) => {
    if (tab === 'groups') return may('usergroups:read')
    if (tab === 'devices') return may('devicegroups:read')
    if (tab === 'security') return may('users:update') && person?.serviceAccount === false
    return true
  })
}
