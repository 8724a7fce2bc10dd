import { Link, type LinkProps, useRouterState } from '@tanstack/react-router'
import { useIntl } from 'react-intl'
import classes from './PageTabs.module.css'

/** Page of a section: its path, its name on the tab, and the number of what it shows, where that matters. */
type PageTab = { path: NonNullable<LinkProps['to']>; name: string; count?: number | undefined }

const showTab = (tab: HTMLElement | null) =>
  tab?.scrollIntoView({ inline: 'nearest', block: 'nearest' })

/** Tabs that are pages of one section, each with an address of its own. */
export function PageTabs({ label, tabs }: { label: string; tabs: readonly PageTab[] }) {
  const { formatNumber } = useIntl()
  const here = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <nav className={classes.tabs} aria-label={label}>
      {tabs.map(({ path, name, count = 0 }) => (
        <Link
          key={path}
          to={path}
          ref={here === path ? showTab : undefined}
          className={classes.tab}
          data-here={here === path || undefined}
          aria-current={here === path ? 'page' : undefined}
          activeOptions={{ exact: true }}
        >
          {name}
          {count > 0 && <span className={classes.count}>{formatNumber(count)}</span>}
        </Link>
      ))}
    </nav>
  )
}
