import type { Column } from '@longreach/ui/DataTable'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { type Translate, useWords } from '@longreach/ui/use-words'
import { Anchor } from '@mantine/core'
import { IconMessage, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Alarm } from '../../parts/alarms/alarm-calls.ts'
import { useAlarmText, useWrittenValue, valueOf } from '../../parts/alarms/alarm-text.ts'
import { SeverityMark } from '../../parts/alarms/SeverityMark.tsx'
import { useOrganizationNames } from '../../parts/organizations/organization-names.ts'
import { linkTo } from '../../parts/pages/page-links.ts'
import { AcknowledgeCell } from './AcknowledgeCell.tsx'
import classes from './alarm-columns.module.css'
import { AlarmStateText } from './AlarmStateText.tsx'
import type { GroupedRow } from './flood-rows.ts'
import { GroupMarks } from './GroupMarks.tsx'

type Written = ReturnType<typeof useWrittenValue>

/** Columns of a list of alarms; `history` has those of closed ones, and a device's own list not the device. */
export function useAlarmColumns({
  history = false,
  device = true,
  onExpand,
}: {
  history?: boolean
  device?: boolean
  onExpand?: (deviceId: string) => void
} = {}): Column<GroupedRow>[] {
  const t = useWords()
  const textOf = useAlarmText()
  const written = useWrittenValue()
  return useMemo(
    () => [
      ...whatColumns(t, textOf, onExpand).filter(({ id }) => device || id !== 'device'),
      valueColumn(t, written),
      sinceColumn(t),
      ...(history ? [endColumn(t)] : [ackColumn(t)]),
      ...laterColumns(t),
    ],
    [t, textOf, written, history, device, onExpand],
  )
}

const whatColumns = (
  t: Translate,
  textOf: (alarm: Alarm) => string,
  onExpand: ((deviceId: string) => void) | undefined,
): Column<GroupedRow>[] => [
  {
    id: 'severity',
    label: t('alarms.severity'),
    width: 112,
    card: 'state',
    fixed: true,
    cell: ({ severity }) => <SeverityMark severity={severity} />,
  },
  {
    id: 'text',
    label: t('alarms.alarm'),
    width: 200,
    grow: 4,
    card: 'title',
    fixed: true,
    value: textOf,
    cell: (row) => <TextCell row={row} text={textOf(row)} onExpand={onExpand} />,
  },
  {
    id: 'device',
    label: t('alarms.device'),
    width: 130,
    grow: 2,
    card: 'detail',
    cell: ({ deviceId, deviceLabel }) => (
      <Anchor component={Link} {...linkTo('/devices/$deviceId', { params: { deviceId } })} inherit>
        {deviceLabel || deviceId}
      </Anchor>
    ),
  },
  {
    id: 'state',
    label: t('alarms.state'),
    width: 216,
    grow: 1,
    card: 'detail',
    cell: (row) => <AlarmStateText alarm={row} gone={row.gone} />,
  },
]

type TextProps = {
  row: GroupedRow
  text: string
  onExpand: ((deviceId: string) => void) | undefined
}

function TextCell({ row, text, onExpand }: TextProps) {
  const t = useWords()
  const { comments, raises, assignee } = row.longreach
  return (
    <span className={classes.textCell} data-unacknowledged={row.ack === 'REQUIRED' || undefined}>
      <span className={classes.text} title={text}>
        {text}
      </span>
      {onExpand && <GroupMarks {...{ row, onExpand }} />}
      {raises > 1 && (
        <span className={classes.mark} title={t('alarms.raises', { count: raises })}>
          ×{raises}
        </span>
      )}
      {comments > 0 && (
        <span className={classes.mark} title={t('alarms.comments', { count: comments })}>
          <IconMessage size={13} stroke={1.8} aria-hidden />
          {comments}
        </span>
      )}
      {assignee !== null && (
        <span className={classes.mark} title={t('alarms.assignedTo', { name: assignee })}>
          <IconUser
            size={13}
            stroke={1.8}
            aria-label={t('alarms.assignedTo', { name: assignee })}
          />
        </span>
      )}
    </span>
  )
}

const valueColumn = (t: Translate, written: Written): Column<GroupedRow> => ({
  id: 'value',
  label: t('alarms.value'),
  width: 150,
  align: 'end',
  cell: (row) => {
    const [value, limit] = [valueOf(row), row.longreach.words?.limit]
    if (value === undefined || value === null) return '—'
    return (
      <span>
        <b className={classes.value}>{written(value)}</b>
        {typeof limit === 'number' && (
          <span className={classes.limit}>{t('alarms.limit', { limit: written(limit) })}</span>
        )}
      </span>
    )
  },
})

const sinceColumn = (t: Translate): Column<GroupedRow> => ({
  id: 'since',
  label: t('alarms.since'),
  width: 112,
  card: 'detail',
  cell: ({ longreach }) => <RelativeTime at={longreach.since} />,
})

const endColumn = (t: Translate): Column<GroupedRow> => ({
  id: 'end',
  label: t('alarms.end'),
  width: 112,
  cell: ({ longreach }) => <RelativeTime at={longreach.closedAt} />,
})

const ackColumn = (t: Translate): Column<GroupedRow> => ({
  id: 'ack',
  label: t('alarms.act'),
  width: 150,
  cell: (row) => <AcknowledgeCell alarm={row} />,
})

const laterColumns = (t: Translate): Column<GroupedRow>[] => [
  {
    id: 'organization',
    label: t('alarms.organization'),
    width: 140,
    grow: 1,
    hidden: true,
    cell: ({ orgResourceId }) => <OrganizationCell id={orgResourceId} />,
  },
  {
    id: 'assignee',
    label: t('alarms.assignee'),
    width: 130,
    hidden: true,
    cell: ({ longreach }) => longreach.assignee ?? '—',
  },
  {
    id: 'class',
    label: t('alarms.class'),
    width: 120,
    hidden: true,
    cell: ({ longreach }) => longreach.class || '—',
  },
  {
    id: 'acknowledged',
    label: t('alarms.acknowledgedAt'),
    width: 130,
    hidden: true,
    cell: ({ acknowledgedDate }) => <RelativeTime at={acknowledgedDate} />,
  },
]

function OrganizationCell({ id }: { id: string }) {
  const names = useOrganizationNames()
  return <span title={id}>{names.get(id) ?? id}</span>
}
