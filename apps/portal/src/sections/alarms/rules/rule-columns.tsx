import type { Column } from '@longreach/ui/DataTable'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { StatusDot } from '@longreach/ui/StatusDot'
import { type Translate, useWords } from '@longreach/ui/use-words'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { SeverityMark } from '../../../parts/alarms/SeverityMark.tsx'
import { linkTo } from '../../../parts/pages/page-links.ts'
import { ruleOf, type StoredRule } from './rule-calls.ts'

/** Columns of the list of rules. */
export function useAlarmRuleColumns(): Column<StoredRule>[] {
  const t = useWords()
  return useMemo(() => [...ruleColumns(t), ...changeColumns(t)], [t])
}

const ruleColumns = (t: Translate): Column<StoredRule>[] => [
  {
    id: 'severity',
    label: t('alarm-rules.severity'),
    width: 112,
    card: 'state',
    cell: (row) => <SeverityMark severity={ruleOf(row).levels.at(-1)?.severity ?? 0} />,
  },
  {
    id: 'name',
    label: t('alarm-rules.rule'),
    width: 200,
    grow: 3,
    fixed: true,
    card: 'title',
    value: (row) => ruleOf(row).name,
    cell: (row) => (
      <Anchor
        component={Link}
        {...linkTo('/alarms/rules/$ruleId', { params: { ruleId: row.id } })}
        inherit
      >
        {ruleOf(row).name}
      </Anchor>
    ),
  },
  {
    id: 'scope',
    label: t('alarm-rules.scope'),
    width: 150,
    grow: 1,
    card: 'detail',
    cell: (row) => {
      const { scope } = ruleOf(row)
      return 'model' in scope ? scope.model : t('alarm-rules.oneDevice')
    },
  },
  {
    id: 'enabled',
    label: t('alarm-rules.state'),
    width: 120,
    card: 'detail',
    cell: (row) =>
      ruleOf(row).enabled ? (
        <StatusDot tone="ok">{t('alarm-rules.isOn')}</StatusDot>
      ) : (
        <StatusDot tone="off">{t('alarm-rules.isOff')}</StatusDot>
      ),
  },
  {
    id: 'open',
    label: t('alarm-rules.open'),
    width: 120,
    align: 'end',
    cell: ({ id, open }) =>
      open === 0 ? (
        '0'
      ) : (
        <Anchor component={Link} {...linkTo('/alarms', { search: { rule: id } })} inherit>
          {open}
        </Anchor>
      ),
  },
]

const changeColumns = (t: Translate): Column<StoredRule>[] => [
  {
    id: 'updated',
    label: t('alarm-rules.updated'),
    width: 130,
    cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
  },
  {
    id: 'by',
    label: t('alarm-rules.updatedBy'),
    width: 130,
    hidden: true,
    cell: ({ updatedBy }) => updatedBy,
  },
]
