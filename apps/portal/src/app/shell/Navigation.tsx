import { useWords } from '@longreach/ui/use-words'
import { Link, useRouterState } from '@tanstack/react-router'
import { holdsAll, mayEnter } from '../../parts/access/access-rules.ts'
import type { Section } from '../../parts/pages/section.ts'
import { useSession } from '../../parts/session/session.ts'
import { sections } from '../../sections.ts'
import { Logo } from './Logo.tsx'
import classes from './Navigation.module.css'

const groups = ['monitor', 'connect', 'administer'] as const

/** The sections that the person may enter and works with, by group. */
export function Navigation() {
  const t = useWords()
  const session = useSession()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const allowed = sections.filter((section) => mayEnter(section, session))
  const here = sectionAt(allowed, pathname)
  return (
    <nav className={classes.nav} aria-label={t('shell.menu')}>
      <Link to="/home" className={classes.brand}>
        <Logo size={24} />
        Longreach
      </Link>
      {groups.map((group) => {
        const entries = allowed.filter(
          (section) => section.group === group && holdsAll(section.menu ?? [], session),
        )
        if (entries.length === 0) return null
        return (
          <section key={group} aria-labelledby={`menu-${group}`}>
            <h2 id={`menu-${group}`} className={classes.group}>
              {t(`shell.group.${group}`)}
            </h2>
            <ul className={classes.list}>
              {entries.map((section) => (
                <Entry key={section.id} section={section} here={section === here} />
              ))}
            </ul>
          </section>
        )
      })}
    </nav>
  )
}

/** The section of a page; of two that fit, the one that says more: /devices/groups is not /devices. */
const sectionAt = (sections: readonly Section[], pathname: string) =>
  sections
    .filter(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
    .toSorted((one, other) => other.path.length - one.path.length)[0]

function Entry({ section, here }: { section: Section; here: boolean }) {
  const t = useWords()
  const { icon: Icon, badge: Badge } = section
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
        {Badge && <Badge />}
      </Link>
    </li>
  )
}
