import { CopyText } from '@longreach/ui/CopyText'
import type { Column } from '@longreach/ui/DataTable'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { StatusDot, type Tone } from '@longreach/ui/StatusDot'
import { useWords, type Translate } from '@longreach/ui/use-words'
import { useMemo } from 'react'
import { useMay } from '../../parts/session/session.ts'
import { InviteButton } from './InviteButton.tsx'
import { type Listed, personName } from './people-calls.ts'
import { stateWords } from './people-url.ts'
import classes from './people-columns.module.css'
import { RolesCell } from './RolesCell.tsx'
import { Who } from './Who.tsx'

/** Columns of the list of people. */
export function usePeopleColumns(): Column<Listed>[] {
  const t = useWords()
  const may = useMay()
  const mayChange = may('users:update')
  const seesRoles = may('usergroups:read')
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
        cell: (person: Listed) => <Who person={person} linked />,
      },
      {
        id: 'username',
        label: t('permission.username'),
        width: 110,
        grow: 1,
        sortable: true,
        card: 'detail' as const,
        cell: (person: Listed) => person.username,
      },
      {
        id: 'email',
        label: t('permission.email'),
        width: 150,
        grow: 2,
        sortable: true,
        cell: (person: Listed) => person.email || '—',
      },
      ...shownIf(seesRoles, {
        id: 'roles',
        label: t('permission.roles'),
        width: 170,
        grow: 2,
        card: 'detail' as const,
        cell: (person: Listed) => <RolesCell person={person} />,
      }),
      ...shownIf(mayChange, {
        id: 'twoFactor',
        label: t('permission.twoFactor'),
        width: 124,
        cell: ({ twoFactor }: Listed) => <TwoFactor on={twoFactor} />,
      }),
      ...shownIf(mayChange, {
        id: 'lastSignIn',
        label: t('permission.lastSignIn'),
        width: 142,
        align: 'end' as const,
        cell: ({ lastSignIn }: Listed) =>
          lastSignIn === null ? t('permission.neverSignedIn') : <RelativeTime at={lastSignIn} />,
      }),
      {
        id: 'status',
        label: t('permission.status'),
        width: mayChange ? 236 : 110,
        card: 'state' as const,
        cell: (person: Listed) => <Status person={person} mayChange={mayChange} />,
      },
      ...factColumns(t),
    ],
    [t, mayChange, seesRoles],
  )
}

/** Columns of rarely used facts: hidden until somebody turns them on. */
const factColumns = (t: Translate): Column<Listed>[] => [
  {
    id: 'createdAt',
    label: t('permission.created'),
    width: 120,
    sortable: true,
    hidden: true,
    align: 'end' as const,
    cell: (person: Listed) => <RelativeTime at={person.createdAt} />,
  },
  {
    id: 'id',
    label: t('permission.id'),
    width: 120,
    hidden: true,
    cell: (person: Listed) => <CopyText text={String(person.id)} label={t('permission.id')} />,
  },
]

const shownIf = <T,>(shown: boolean, item: T) => (shown ? [item] : [])

const tones = {
  ACTIVE: 'ok',
  INVITED: 'info',
  LOCKED: 'alarm',
  DISABLED: 'off',
} as const satisfies Record<string, Tone>
type State = keyof typeof tones

export function AccountState({ state }: { state: State }) {
  const t = useWords()
  return <StatusDot tone={tones[state]}>{t(stateWords[state])}</StatusDot>
}

/** State of the account; a person who has not joined yet can be invited again from here. */
function Status({ person, mayChange }: { person: Listed; mayChange: boolean }) {
  const state = person.state ?? (person.enabled ? 'ACTIVE' : 'DISABLED')
  return (
    <span className={classes.stateCell}>
      <AccountState state={state} />
      {state === 'INVITED' && mayChange && (
        <InviteButton
          person={person}
          word="permission.resend"
          size="compact-xs"
          variant="default"
        />
      )}
    </span>
  )
}

/** A second factor: set up, or not; a dash where it is not known. */
function TwoFactor({ on }: { on: boolean | undefined }) {
  const t = useWords()
  if (on === undefined) return <>—</>
  return (
    <StatusDot tone={on ? 'ok' : 'off'}>
      {t(on ? 'permission.factorOn' : 'permission.factorOff')}
    </StatusDot>
  )
}
