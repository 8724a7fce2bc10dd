import { useWords } from '@longreach/ui/use-words'
import { Link, useRouterState } from '@tanstack/react-router'
import classes from './AlarmTabs.module.css'

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
  return (
    <nav className={classes.tabs} aria-label={t('shell.section.alarms')}>
      {shown.map(({ path, word }) => (
        <Link
          key={path}
          to={path}
          className={classes.tab}
          data-here={here === path || undefined}
          aria-current={here === path ? 'page' : undefined}
          activeOptions={{ exact: true }}
        >
          {t(word)}
        </Link>
      ))}
    </nav>
  )
}
