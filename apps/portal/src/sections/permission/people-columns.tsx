import { CopyText } from '@longreach/ui/CopyText'
import type { Column } from '@longreach/ui/DataTable'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { StatusDot } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { IconRobot, IconUser } from '@tabler/icons-react'
import { useMemo } from 'react'
import { type Person, personName } from './people-calls.ts'
import classes from './permission.module.css'

/** Columns of the list of people. */
export function usePeopleColumns(): Column<Person>[] {
  const t = useWords()
  return useMemo(
    () => [
      {
        id: 'name',
        label: t('permission.name'),
        width: 170,
        grow: 2,
        sortable: true,
        fixed: true,
        card: 'title' as const,
        value: personName,
        cell: (person: Person) => <Who person={person} />,
      },
      {
        id: 'username',
        label: t('permission.username'),
        width: 120,
        grow: 1,
        sortable: true,
        card: 'detail' as const,
        cell: (person: Person) => person.username,
      },
      {
        id: 'email',
        label: t('permission.email'),
        width: 180,
        grow: 2,
        sortable: true,
        cell: (person: Person) => person.email || '—',
      },
      {
        id: 'status',
        label: t('permission.status'),
        width: 110,
        card: 'state' as const,
        cell: (person: Person) => <AccountState enabled={person.enabled} />,
      },
      {
        id: 'createdAt',
        label: t('permission.created'),
        width: 120,
        sortable: true,
        align: 'end' as const,
        cell: (person: Person) => <RelativeTime at={person.createdAt} />,
      },
      {
        id: 'id',
        label: t('permission.id'),
        width: 120,
        hidden: true,
        cell: (person: Person) => <CopyText text={String(person.id)} label={t('permission.id')} />,
      },
    ],
    [t],
  )
}

/** A person or a program by name, told apart by icon and word. */
export function Who({ person }: { person: Person }) {
  const t = useWords()
  const Icon = person.serviceAccount ? IconRobot : IconUser
  const kind = t(person.serviceAccount ? 'permission.service' : 'permission.person')
  return (
    <span className={classes.who}>
      <Icon size={16} stroke={1.6} role="img" aria-label={kind} />
      <span className={classes.name}>{personName(person)}</span>
    </span>
  )
}

export function AccountState({ enabled }: { enabled: boolean }) {
  const t = useWords()
  return (
    <StatusDot tone={enabled ? 'ok' : 'off'}>
      {t(enabled ? 'permission.enabled' : 'permission.disabled')}
    </StatusDot>
  )
}
