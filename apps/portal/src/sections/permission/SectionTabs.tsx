import { useWords } from '@longreach/ui/use-words'
import { Link, useRouterState } from '@tanstack/react-router'
import classes from './SectionTabs.module.css'

const pages = [
  { path: '/permission', word: 'permission.people' },
  { path: '/permission/groups', word: 'permission.groups' },
  { path: '/permission/roles', word: 'permission.holders' },
] as const

/** People, groups, and who holds which role. */
export function SectionTabs() {
  const t = useWords()
  const here = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <nav className={classes.tabs} aria-label={t('shell.section.permission')}>
      {pages.map(({ path, word }) => (
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
