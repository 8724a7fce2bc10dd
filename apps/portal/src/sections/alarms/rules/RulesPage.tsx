import { ActionButton } from '@longreach/ui/ActionButton'
import { SearchField } from '@longreach/ui/SearchField'
import { useWords } from '@longreach/ui/use-words'
import { Select } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ListPage } from '../../../parts/pages/ListPage.tsx'
import type { Search } from '../../../parts/pages/section.ts'
import { one, useSearch } from '../../../parts/pages/use-search.ts'
import { useMay } from '../../../parts/session/session.ts'
import { AlarmTabs } from '../AlarmTabs.tsx'
import { rulesQuery, useRuleOrganization } from './rule-calls.ts'
import { useAlarmRuleColumns } from './rule-columns.tsx'
import { RulePanel } from './RulePanel.tsx'
import classes from './RulesPage.module.css'
import { useModelChoices } from './use-rule-paths.ts'

/** Rules of the organization and those of organizations above that reach down to it. */
export function Component() {
  const t = useWords()
  const [search, change] = useSearch()
  const filters = filtersIn(search)
  const list = useInfiniteQuery(
    rulesQuery(useRuleOrganization().organization, questionFor(filters)),
  )
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  const total = list.data?.pages[0]?.totalElements
  const opened = one(search['rule'])
  const shown = rows.find(({ id }) => id === opened)
  return (
    <ListPage
      title={t('shell.section.alarms')}
      help={t('alarm-rules.listHelp')}
      actions={<NewAlarmRuleButton />}
      above={<AlarmTabs />}
      name="alarm-rules"
      label={t('alarm-rules.rules')}
      columns={useAlarmRuleColumns()}
      rows={rows}
      rowId={({ id }) => id}
      total={total}
      selected={opened}
      onOpen={({ id }) => void change({ rule: id })}
      list={list}
      toolbar={<RuleFilters filters={filters} onChange={change} />}
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

type Filters = Record<'q' | 'model' | 'device' | 'enabled', string | undefined>

const noRuleFilters: Filters = {
  q: undefined,
  model: undefined,
  device: undefined,
  enabled: undefined,
}

const filtersIn = (search: Search): Filters => ({
  q: one(search['q']),
  model: one(search['model']),
  device: one(search['device']),
  enabled: one(search['enabled']),
})

const questionFor = ({ q, model, device, enabled }: Filters) => ({
  ...(q && { search: q }),
  ...(model && { model }),
  ...(device && { deviceId: device }),
  ...(enabled && { enabled: enabled === 'yes' }),
})

type FiltersProps = { filters: Filters; onChange: ReturnType<typeof useSearch>[1] }

/** Search, model and state; each stands in the address. */
function RuleFilters({ filters: { q = '', model, enabled }, onChange }: FiltersProps) {
  const t = useWords()
  return (
    <>
      <SearchField
        label={t('alarm-rules.search')}
        text={q}
        onText={(next) => void onChange({ q: next })}
      />
      <ModelFilter model={model} onModel={(next) => void onChange({ model: next })} />
      <Select
        className={classes.filter}
        aria-label={t('alarm-rules.state')}
        placeholder={t('alarm-rules.state')}
        clearable
        data={[
          { value: 'yes', label: t('alarm-rules.isOn') },
          { value: 'no', label: t('alarm-rules.isOff') },
        ]}
        value={enabled ?? null}
        onChange={(next) => void onChange({ enabled: next ?? undefined })}
      />
    </>
  )
}

type FilterProps = { model: string | undefined; onModel: (model: string | undefined) => void }

function ModelFilter({ model, onModel }: FilterProps) {
  const t = useWords()
  const models = useModelChoices()
  return (
    <Select
      className={classes.filter}
      aria-label={t('alarm-rules.model')}
      placeholder={t('alarm-rules.model')}
      searchable
      clearable
      data={[...new Set([...models.map(({ scope }) => scope), ...(model ? [model] : [])])]}
      value={model ?? null}
      onChange={(next) => onModel(next ?? undefined)}
    />
  )
}

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
