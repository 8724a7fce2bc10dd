import type { Column } from '@longreach/ui/DataTable'
import { RelativeTime, useNow } from '@longreach/ui/RelativeTime'
import { formatTime } from '@longreach/ui/format'
import { type Translate, useWords } from '@longreach/ui/use-words'
import { useCallback, useMemo } from 'react'
import { useIntl } from 'react-intl'
import type { Shelf } from '../../../parts/alarms/shelf-calls.ts'
import { remainingParts } from '../../../parts/alarms/shelf-ends.ts'
import { usualZone } from '../../../parts/look/time-zone.ts'
import { useOrganizationNames } from '../../../parts/organizations/organization-names.ts'
import classes from './shelves.module.css'

/** Columns of the list of what is shelved. */
export function useShelfColumns(): Column<Shelf>[] {
  const t = useWords()
  const nameOf = useTargetName()
  return useMemo(
    () => [...targetColumns(t, nameOf), ...whenColumns(t), ...whoColumns(t)],
    [t, nameOf],
  )
}

type NameOf = (shelf: Shelf) => string

const targetColumns = (t: Translate, nameOf: NameOf): Column<Shelf>[] => [
  {
    id: 'target',
    label: t('alarm-shelves.target'),
    width: 220,
    grow: 3,
    fixed: true,
    card: 'title',
    value: nameOf,
    cell: nameOf,
  },
  {
    id: 'type',
    label: t('alarm-shelves.type'),
    width: 130,
    card: 'detail',
    cell: ({ target }) => t(`alarm-shelves.type.${target.type}`),
  },
  {
    id: 'reason',
    label: t('alarm-shelves.reason'),
    width: 190,
    grow: 2,
    card: 'detail',
    cell: ({ reason, note }) => (
      <span title={note}>
        {t(`alarm-shelves.reason.${reason}`)}
        {note !== '' && <span className={classes.quiet}>{` · ${note}`}</span>}
      </span>
    ),
  },
]

const whenColumns = (t: Translate): Column<Shelf>[] => [
  {
    id: 'remaining',
    label: t('alarm-shelves.remaining'),
    width: 170,
    grow: 1,
    card: 'state',
    cell: (shelf) => <Remaining shelf={shelf} />,
  },
  {
    id: 'held',
    label: t('alarm-shelves.held'),
    width: 130,
    align: 'end',
    card: 'detail',
    cell: ({ held }) => String(held),
  },
]

const whoColumns = (t: Translate): Column<Shelf>[] => [
  {
    id: 'by',
    label: t('alarm-shelves.by'),
    width: 150,
    grow: 1,
    card: 'detail',
    cell: ({ by, fromAbove }) => (
      <span>
        {by}
        {fromAbove && <span className={classes.quiet}>{` · ${t('alarm-shelves.fromAbove')}`}</span>}
      </span>
    ),
  },
  {
    id: 'since',
    label: t('alarm-shelves.since'),
    width: 120,
    hidden: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
  {
    id: 'from',
    label: t('alarm-shelves.from'),
    width: 150,
    hidden: true,
    cell: ({ orgResourceId }) => <ShelfOrganization id={orgResourceId} />,
  },
]

/** Name of what is shelved: that of an organization as people know it, of a group its number. */
export function useTargetName(): NameOf {
  const names = useOrganizationNames()
  return useCallback(
    ({ target: { type, id, label } }: Shelf) =>
      type === 'organization' ? (names.get(id) ?? id) : label || id,
    [names],
  )
}

export function ShelfOrganization({ id }: { id: string }) {
  return <span title={id}>{useOrganizationNames().get(id) ?? id}</span>
}

/** Shelves that end within this time stand out. */
const soonMs = 900_000

/** Time that remains until a shelf ends, moving on. */
export function Remaining({ shelf: { until, endOnReturn } }: { shelf: Shelf }) {
  const t = useWords()
  const { locale } = useIntl()
  const left = until - useNow()
  const { days, hours, minutes } = remainingParts(left)
  const text =
    days > 0
      ? t('alarm-shelves.remainingDays', { days, hours })
      : hours > 0
        ? t('alarm-shelves.remainingHours', { hours, minutes })
        : t('alarm-shelves.remainingMinutes', { minutes })
  return (
    <span title={formatTime(new Date(until), locale, usualZone())}>
      <span className={left < soonMs ? classes.soon : undefined}>{text}</span>
      {endOnReturn && <span className={classes.quiet}>{` ${t('alarm-shelves.orOnReturn')}`}</span>}
    </span>
  )
}
