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
import { useOwnerName } from './use-owner-name.ts'

/** Columns of the list of rules; that of the organization where rules of several are listed. */
export function useAlarmRuleColumns({ below }: { below: boolean }): Column<StoredRule>[] {
  const t = useWords()
  return useMemo(
    () => [...ruleColumns(t), ...(below ? [organizationColumn(t)] : []), ...changeColumns(t)],
    [t, below],
  )
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

const organizationColumn = (t: Translate): Column<StoredRule> => ({
  id: 'organization',
  label: t('alarms.organization'),
  width: 150,
  grow: 1,
  card: 'detail',
  cell: ({ orgResourceId }) => <RuleOwner id={orgResourceId} />,
})

/** Organization of a rule by its name; one above has no name here. */
function RuleOwner({ id }: { id: string }) {
  return <span title={id}>{useOwnerName()(id)}</span>
}

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
