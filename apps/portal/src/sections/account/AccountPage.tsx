import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { Tabs } from '@mantine/core'
import { useSession } from '../../parts/session/session.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import classes from './account.module.css'
import { ElsewhereProfile } from './ElsewhereProfile.tsx'
import { PreferencesTab } from './PreferencesTab.tsx'
import { ProfileTab } from './ProfileTab.tsx'
import { SecurityTab } from './SecurityTab.tsx'
import { SessionsTab } from './SessionsTab.tsx'

const tabs = ['profile', 'security', 'sessions', 'preferences'] as const
/** Tabs of an account from another identity provider, which also keeps its password, factors and sessions. */
const tabsElsewhere = ['profile', 'preferences'] as const
const contents = {
  profile: ProfileTab,
  security: SecurityTab,
  sessions: SessionsTab,
  preferences: PreferencesTab,
}

/** Everything about oneself: name and address, how one signs in, where one is signed in, how things look. */
export function Component() {
  const t = useWords()
  const { username, accountConsole } = useSession()
  const [search, change] = useSearch()
  const elsewhere = accountConsole !== undefined
  const shown = elsewhere ? tabsElsewhere : tabs
  const tab = shown.find((name) => name === one(search['tab'])) ?? 'profile'
  const Content = elsewhere && tab === 'profile' ? ElsewhereProfile : contents[tab]
  return (
    <Page>
      <PageHeader title={t('shell.section.account')} help={t('account.help', { username })} />
      <Tabs
        value={tab}
        onChange={(next) =>
          void change({ tab: next === 'profile' ? undefined : (next ?? undefined) })
        }
        keepMounted={false}
      >
        <Tabs.List>
          {shown.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`account.tab.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className={classes.tab}>
          <Content />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
