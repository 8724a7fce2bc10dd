import { useWords } from '@longreach/ui/use-words'
import { Select } from '@mantine/core'
import type { useSearch } from '../../parts/pages/use-search.ts'
import { useMay } from '../../parts/session/session.ts'
import { useGroups, useRoles } from './people-calls.ts'
import { type ListState, stateWords, statuses } from './people-url.ts'
import classes from './permission.module.css'

export type FiltersProps = { state: ListState; onChange: ReturnType<typeof useSearch>[1] }

/** Fields that narrow the list of people to a group, a role, a kind or a status. */
export function PeopleChoices({ state, onChange }: FiltersProps) {
  const t = useWords()
  const groups = useGroups().data?.content ?? []
  const roles = useRoles().data?.content ?? []
  const kinds = [
    { value: 'STANDARD', label: t('permission.person') },
    { value: 'SERVICE', label: t('permission.service') },
  ]
  const mayChange = useMay()('users:update')
  // As the list itself, which tells locks to who may change people.
  const offered = statuses.filter((status) => status !== 'LOCKED' || mayChange)
  return (
    <>
      <Filter
        label={t('permission.group')}
        value={state.group}
        data={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
        onChange={(group) => void onChange({ group })}
      />
      <Filter
        label={t('permission.role')}
        value={state.role}
        data={roles.map(({ id, label }) => ({ value: String(id), label }))}
        onChange={(role) => void onChange({ role })}
      />
      <Filter
        label={t('permission.kind')}
        value={state.kind}
        data={kinds}
        onChange={(kind) => void onChange({ kind })}
      />
      <Filter
        label={t('permission.status')}
        value={state.status}
        data={offered.map((value) => ({
          value,
          label: t(stateWords[value === 'ENABLED' ? 'ACTIVE' : value]),
        }))}
        onChange={(status) => void onChange({ status })}
      />
    </>
  )
}

type FilterProps = {
  label: string
  value: string | undefined
  data: { value: string; label: string }[]
  onChange: (value: string | undefined) => void
}

function Filter({ label, value, data, onChange }: FilterProps) {
  const t = useWords()
  if (data.length === 0) return null
  return (
    <Select
      className={classes.filter}
      aria-label={label}
      placeholder={label}
      clearable
      clearButtonProps={{ 'aria-label': t('permission.clear') }}
      searchable={data.length > 8}
      value={value ?? null}
      data={data}
      onChange={(next) => onChange(next ?? undefined)}
    />
  )
}
