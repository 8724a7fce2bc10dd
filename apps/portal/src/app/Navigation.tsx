import { useWords } from '@longreach/ui/use-words'
import { Link, useRouterState } from '@tanstack/react-router'
import { mayEnter } from '../lib/access-rules.ts'
import type { Section } from '../lib/section.ts'
import { useSession } from '../lib/session.ts'
import { sections } from '../sections.ts'
import { Logo } from './Logo.tsx'
import classes from './Navigation.module.css'

const groups = ['monitor', 'connect', 'administer'] as const

/** The sections that the person may enter, by group. */
export function Navigation() {
  const t = useWords()
  const session = useSession()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const allowed = sections.filter((section) => mayEnter(section, session))
  return (
    <nav className={classes.nav} aria-label={t('shell.menu')}>
      <Link to="/home" className={classes.brand}>
        <Logo size={24} />
        Longreach
      </Link>
      {groups.map((group) => {
        const entries = allowed.filter((section) => section.group === group)
        if (entries.length === 0) return null
        return (
          <section key={group} aria-labelledby={`menu-${group}`}>
            <h2 id={`menu-${group}`} className={classes.group}>
              {t(`shell.group.${group}`)}
            </h2>
            <ul className={classes.list}>
              {entries.map((section) => (
                <Entry key={section.id} section={section} pathname={pathname} />
              ))}
            </ul>
          </section>
        )
      })}
    </nav>
  )
}

function Entry({ section, pathname }: { section: Section; pathname: string }) {
  const t = useWords()
  const here = pathname === section.path || pathname.startsWith(`${section.path}/`)
  const Icon = section.icon
  return (
    <li>
      <Link
        to={section.path}
        className={classes.entry}
        data-here={here || undefined}
        aria-current={here ? 'page' : undefined}
      >
        <Icon size={18} stroke={1.6} />
        {t(`shell.section.${section.id}`)}
      </Link>
    </li>
  )
}
