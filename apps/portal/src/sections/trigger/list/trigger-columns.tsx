import type { Column } from '@longreach/ui/DataTable'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { type Translate, useWords } from '@longreach/ui/use-words'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { linkTo } from '../../../parts/pages/page-links.ts'
import { useGroupNames } from '../use-group-names.ts'
import { useSentence } from '../sentence/use-sentence.ts'
import type { Trigger } from '../trigger-calls.ts'
import { CounterBar } from './CounterBar.tsx'
import { TriggerState } from './TriggerState.tsx'
import { TriggerSwitch } from './TriggerSwitch.tsx'

/** Columns of the list of triggers. */
export function useTriggerColumns(rows: readonly Trigger[]): Column<Trigger>[] {
  const t = useWords()
  const sentenceOf = useSentence()
  const { namesOf } = useGroupNames()
  const most = rows.reduce(
    (found, { longreach }) => Math.max(found, longreach.counters.counterIn),
    0,
  )
  return useMemo(
    () => [
      ...nameColumns(t, sentenceOf, namesOf),
      ...stateColumns(t),
      ...countColumns(t, most),
      ...savedColumns(t),
    ],
    [t, sentenceOf, namesOf, most],
  )
}

type SentenceOf = (trigger: Trigger) => string
type NamesOf = (trigger: Trigger) => string

const nameColumns = (t: Translate, sentenceOf: SentenceOf, namesOf: NamesOf): Column<Trigger>[] => [
  {
    id: 'name',
    label: t('trigger.name'),
    width: 230,
    grow: 3,
    fixed: true,
    sortable: true,
    card: 'title',
    value: ({ name }) => name,
    cell: ({ id, name }) => (
      <Anchor
        component={Link}
        {...linkTo('/trigger/$triggerId', { params: { triggerId: id } })}
        inherit
      >
        {name}
      </Anchor>
    ),
  },
  {
    id: 'sentence',
    label: t('trigger.does'),
    width: 260,
    grow: 5,
    card: 'detail',
    sortable: false,
    cell: (trigger) => {
      const sentence = sentenceOf(trigger)
      return <span title={sentence}>{sentence}</span>
    },
  },
  {
    id: 'devices',
    label: t('trigger.devices'),
    width: 110,
    sortable: false,
    cell: (trigger) => {
      const names = namesOf(trigger)
      return <span title={names}>{names}</span>
    },
  },
]

const stateColumns = (t: Translate): Column<Trigger>[] => [
  {
    id: 'on',
    label: t('trigger.on'),
    width: 64,
    sortable: false,
    card: 'value',
    cell: (trigger) => <TriggerSwitch trigger={trigger} />,
  },
  {
    id: 'state',
    label: t('trigger.state'),
    width: 120,
    sortable: false,
    card: 'state',
    cell: (trigger) => <TriggerState trigger={trigger} />,
  },
]

const countColumns = (t: Translate, most: number): Column<Trigger>[] => [
  {
    id: 'lastRun',
    label: t('trigger.lastRun'),
    width: 120,
    sortable: false,
    cell: ({ longreach }) => <RelativeTime at={longreach.lastRunAt} />,
  },
  {
    id: 'counters',
    label: t('trigger.countersOfDay'),
    width: 160,
    sortable: false,
    cell: ({ longreach }) => <CounterBar counters={longreach.counters} most={most} />,
  },
]

const savedColumns = (t: Translate): Column<Trigger>[] => [
  {
    id: 'updated',
    label: t('trigger.updated'),
    width: 120,
    sortable: true,
    hidden: true,
    value: ({ updatedAt }) => updatedAt,
    cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
  },
  {
    id: 'owner',
    label: t('trigger.owner'),
    width: 120,
    sortable: false,
    hidden: true,
    cell: ({ owner }) => owner,
  },
]
