import { useWords } from '@longreach/ui/use-words'
import { IconRobot, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Search } from '../../parts/pages/section.ts'
import { type Person, personName } from './people-calls.ts'
import shared from './permission.module.css'
import classes from './Who.module.css'

/** A person or a program by name, told apart by icon and word; linked to their panel. */
export function Who({ person, linked = false }: { person: Person; linked?: boolean }) {
  const t = useWords()
  const Icon = person.serviceAccount ? IconRobot : IconUser
  const kind = t(person.serviceAccount ? 'permission.service' : 'permission.person')
  const name = personName(person)
  const panel = (before: Search) => ({ ...before, person: String(person.id), tab: undefined })
  return (
    <span className={classes.who}>
      <Icon size={16} stroke={1.6} role="img" aria-label={kind} />
      {linked ? (
        <Link to="/permission" search={panel} className={shared.nameLink}>
          {name}
        </Link>
      ) : (
        <span className={shared.name}>{name}</span>
      )}
    </span>
  )
}
