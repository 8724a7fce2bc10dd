import { formatTime } from '@longreach/ui/format'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { Facts } from '@longreach/ui/SidePanel'
import { type Translate, useWords } from '@longreach/ui/use-words'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import type { Alarm } from '../../parts/alarms/alarm-calls.ts'
import { useWrittenValue, valueOf } from '../../parts/alarms/alarm-text.ts'
import { shelfReasons } from '../../parts/alarms/shelf-calls.ts'
import { usualZone } from '../../parts/look/time-zone.ts'
import { linkTo } from '../../parts/pages/page-links.ts'

/** Facts about an alarm, with links to its device and rule. */
export function AlarmFacts({ alarm, assigneeIsGone }: { alarm: Alarm; assigneeIsGone: boolean }) {
  const t = useWords()
  const { locale } = useIntl()
  const written = useWrittenValue()
  const { deviceId, deviceLabel, longreach, name } = alarm
  const { rule, since, returnedAt, closedAt, words } = longreach
  const time = (at: number) => formatTime(new Date(at), locale, usualZone())
  const items: (readonly [string, ReactNode] | false)[] = [
    [
      t('alarms.device'),
      <Anchor
        key="device"
        component={Link}
        {...linkTo('/devices/$deviceId', { params: { deviceId } })}
        inherit
      >
        {deviceLabel || deviceId}
      </Anchor>,
    ],
    [
      t('alarms.raisedBy'),
      rule === null ? (
        t('alarms.byDevice', { name })
      ) : (
        <Anchor
          key="rule"
          component={Link}
          {...linkTo('/alarms/rules/$ruleId', { params: { ruleId: rule } })}
          inherit
        >
          {name}
        </Anchor>
      ),
    ],
    [
      t('alarms.since'),
      <span key="since">
        {time(since)} (<RelativeTime at={since} />)
      </span>,
    ],
    returnedAt !== null && [t('alarms.returned'), time(returnedAt)],
    closedAt !== null && [t('alarms.end'), time(closedAt)],
    [t('alarms.value'), written(valueOf(alarm))],
    words?.limit !== undefined &&
      words.limit !== null && [t('alarms.limitName'), written(words.limit)],
    ...rareFacts(alarm, t, assigneeIsGone),
  ]
  return (
    <>
      <Facts
        items={items.filter((item) => item !== false).map(([label, value]) => ({ label, value }))}
      />
      <AlarmNotes alarm={alarm} />
    </>
  )
}

/** Facts that most alarms do not have. */
function rareFacts(
  { longreach, tag }: Alarm,
  t: Translate,
  assigneeIsGone: boolean,
): (readonly [string, string])[] {
  const { raises, firstOut, assignee, shelf } = longreach
  const facts = [
    [t('alarm-shelves.shelvedBy'), shelf ? shelfText(shelf, t) : ''],
    [t('alarms.raisesName'), raises > 1 ? String(raises) : ''],
    [t('alarms.after'), firstOut ?? ''],
    [t('alarms.class'), longreach.class],
    [t('alarms.tag'), tag],
    [
      t('alarms.assignee'),
      assigneeIsGone ? t('alarm-shelves.assigneeGone', { name: assignee ?? '' }) : (assignee ?? ''),
    ],
  ] as const
  return facts.filter(([, value]) => value !== '')
}

type ShelfOfAlarm = NonNullable<Alarm['longreach']['shelf']>

/** Person and reason of a shelf, with the note. */
function shelfText({ by, reason, note }: ShelfOfAlarm, t: Translate) {
  const known = shelfReasons.find((one) => one === reason)
  const why = known ? t(`alarm-shelves.reason.${known}`) : reason
  return [by, why, note].filter((text) => text !== '').join(' · ')
}

/** Sentences about an alarm that came late, was withdrawn, or on which the platform acted alone. */
function AlarmNotes({ alarm: { longreach, platformAction } }: { alarm: Alarm }) {
  const t = useWords()
  const { locale } = useIntl()
  const time = formatTime(new Date(longreach.heardAt), locale, usualZone())
  const notes = [
    longreach.late && t('alarms.late', { time }),
    longreach.withdrawn && t('alarms.withdrawn'),
    platformAction && t('alarms.platformAction'),
  ].filter((note) => note !== false)
  return notes.map((note) => <p key={note}>{note}</p>)
}
