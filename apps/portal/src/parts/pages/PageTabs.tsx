import { Link, type LinkProps, useRouterState } from '@tanstack/react-router'
import classes from './PageTabs.module.css'

/** Page of a section: its path and its name on the tab. */
type PageTab = { path: NonNullable<LinkProps['to']>; name: string }

/** Tabs that are pages of one section, each with an address of its own. */
export function PageTabs({ label, tabs }: { label: string; tabs: readonly PageTab[] }) {
  const here = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <nav className={classes.tabs} aria-label={label}>
      {tabs.map(({ path, name }) => (
        <Link
          key={path}
          to={path}
          className={classes.tab}
          data-here={here === path || undefined}
          aria-current={here === path ? 'page' : undefined}
          activeOptions={{ exact: true }}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
