import { ActionButton } from '@longreach/ui/ActionButton'
import { useWords } from '@longreach/ui/use-words'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { late } from '@longreach/ui/late'
import { ListPage } from '../../../parts/pages/ListPage.tsx'
import type { Search } from '../../../parts/pages/section.ts'
import { one, useSearch } from '../../../parts/pages/use-search.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { useMay, useSession } from '../../../parts/session/session.ts'
import { AlarmTabs } from '../AlarmTabs.tsx'
import { rulesQuery } from './rule-calls.ts'
import { useAlarmRuleColumns } from './rule-columns.tsx'

// Selects are loaded after the list.
const RuleFilters = late(() => import('./RuleFilters.tsx'), 'RuleFilters')
const RuleTransfer = late(() => import('./RuleTransfer.tsx'), 'RuleTransfer')
const RulePanel = late(() => import('./RulePanel.tsx'), 'RulePanel')

/** Rules of the organization and of those below it, and those of organizations above that reach down to it. */
export function Component() {
  const t = useWords()
  const [search, change] = useSearch()
  const filters = filtersIn(search)
  const below = one(search['below']) !== 'false'
  const [own, reach] = [useSession().organization.resourceId, useReach()]
  const list = useInfiniteQuery(rulesQuery(below ? reach : own, questionFor(filters)))
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  const total = list.data?.pages[0]?.totalElements
  const opened = one(search['rule'])
  const shown = rows.find(({ id }) => id === opened)
  return (
    <ListPage
      title={t('shell.section.alarms')}
      help={t('alarm-rules.listHelp')}
      actions={
        <>
          <RuleTransfer />
          <NewAlarmRuleButton />
        </>
      }
      above={<AlarmTabs />}
      name="alarm-rules"
      label={t('alarm-rules.rules')}
      columns={useAlarmRuleColumns({ below })}
      rows={rows}
      rowId={({ id }) => id}
      total={total}
      selected={opened}
      onOpen={({ id }) => void change({ rule: id })}
      list={list}
      toolbar={<RuleFilters filters={filters} below={below} onChange={change} />}
      footer={total !== undefined && <span>{t('alarm-rules.count', { total })}</span>}
      none={{
        title: t('alarm-rules.none'),
        text: t('alarm-rules.noneText'),
        action: <NewAlarmRuleButton />,
      }}
      filtered={
        Object.values(filters).some(Boolean)
          ? {
              title: t('alarm-rules.noneFound'),
              clear: t('alarms.clearFilter'),
              onClear: () => void change(noRuleFilters),
            }
          : undefined
      }
      panel={
        shown && (
          <RulePanel
            key={shown.id}
            stored={shown}
            onClose={() => void change({ rule: undefined })}
          />
        )
      }
    />
  )
}

type Filters = Record<'q' | 'model' | 'modelOf' | 'enabled', string | undefined>

const noRuleFilters: Filters = {
  q: undefined,
  model: undefined,
  modelOf: undefined,
  enabled: undefined,
}

const filtersIn = (search: Search): Filters => ({
  q: one(search['q']),
  model: one(search['model']),
  modelOf: one(search['modelOf']),
  enabled: one(search['enabled']),
})

const questionFor = ({ q, model, modelOf, enabled }: Filters) => ({
  ...(q && { search: q }),
  ...(model && { model }),
  ...(model && modelOf && { modelOrganization: modelOf }),
  ...(enabled && { enabled: enabled === 'yes' }),
})

function NewAlarmRuleButton() {
  const t = useWords()
  const navigate = useNavigate()
  const may = useMay()('alarms:create')
  return (
    <ActionButton
      reason={may ? undefined : t('alarm-rules.mayNotCreate')}
      leftSection={<IconPlus size={16} stroke={1.8} />}
      onClick={() => void navigate({ to: '/alarms/rules/new' })}
    >
      {t('alarm-rules.new')}
    </ActionButton>
  )
}
