import { useWords } from '@longreach/ui/use-words'
import { useRouterState } from '@tanstack/react-router'
import { PageTabs } from '../../parts/pages/PageTabs.tsx'

const pages = [
  { path: '/alarms', word: 'alarms.tab.open' },
  { path: '/alarms/alarms-history', word: 'alarms.tab.history' },
  { path: '/alarms/rules', word: 'alarms.tab.rules' },
] as const
const shelved = { path: '/alarms/shelved', word: 'alarms.tab.shelved' } as const

/** Open alarms, history and rules, and shelved alarms while there are some. */
export function AlarmTabs({ withShelved = false }: { withShelved?: boolean }) {
  const t = useWords()
  const here = useRouterState({ select: ({ location }) => location.pathname })
  const isShelf = withShelved || here === shelved.path
  const shown = isShelf ? [pages[0], shelved, pages[1], pages[2]] : pages
  const tabs = shown.map(({ path, word }) => ({ path, name: t(word) }))
  return <PageTabs label={t('shell.section.alarms')} tabs={tabs} />
}
