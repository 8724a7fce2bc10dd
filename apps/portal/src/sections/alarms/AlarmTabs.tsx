import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { shelfCountQuery } from '../../parts/alarms/shelf-calls.ts'
import { PageTabs } from '../../parts/pages/PageTabs.tsx'
import { useReach } from '../../parts/session/reach.ts'
import { withWords } from '../../parts/words/spoken-words.ts'

// It asks after the page is there, and is seldom seen.
const PulseNotice = late(
  () => withWords(import('../../parts/notifications/PulseNotice.tsx'), 'pulse'),
  'PulseNotice',
)

const pages = [
  { path: '/alarms', word: 'alarms.tab.open' },
  { path: '/alarms/shelved', word: 'alarms.tab.shelved' },
  { path: '/alarms/alarms-history', word: 'alarms.tab.history' },
  { path: '/alarms/rules', word: 'alarms.tab.rules' },
  { path: '/alarms/report', word: 'alarms.tab.report' },
] as const

/** Open alarms, what is shelved with its number, history, rules and report; below, whether alarms come at all. */
export function AlarmTabs() {
  const t = useWords()
  const { data } = useQuery(shelfCountQuery(useReach()))
  const tabs = pages.map(({ path, word }) => ({
    path,
    name: t(word),
    ...(path === '/alarms/shelved' && { count: data?.totalElements }),
  }))
  return (
    <>
      <PageTabs label={t('shell.section.alarms')} tabs={tabs} />
      <PulseNotice />
    </>
  )
}
