import { useWords } from '@longreach/ui/use-words'
import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../../parts/api/api.ts'
import { useRuleOrganization } from './rule-calls.ts'
import { useEditing } from './rule-context.ts'

/** Device groups to which a rule is limited, found by name; none means all devices of its scope. */
export function DeviceGroupsField() {
  const t = useWords()
  const { rule, set, locked, faultOf } = useEditing()
  const { organization: org } = useRuleOrganization()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, 250)
  const { data } = useQuery({
    ...query(api.core.securityPolicies, {
      params: { org },
      query: { pageSize: 100, ...(search !== '' && { search }) },
    }),
    placeholderData: keepPreviousData,
  })
  const found = (data?.content ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const known = new Set(found.map(({ value }) => value))
  const others = rule.deviceGroups.filter((id) => !known.has(id))
  const fault = rule.deviceGroups
    .map((_, index) => faultOf(`deviceGroups.${index}`))
    .find((one) => one !== undefined)
  return (
    <MultiSelect
      label={t('rule-tools.groups')}
      description={t('rule-tools.groupsHelp')}
      placeholder={rule.deviceGroups.length === 0 ? t('rule-tools.allGroups') : undefined}
      searchable
      disabled={locked}
      error={fault}
      data={[...others.map((id) => ({ value: id, label: id })), ...found]}
      value={rule.deviceGroups}
      onSearchChange={setText}
      nothingFoundMessage={t('rule-tools.noGroup')}
      onChange={(groups) => set('deviceGroups', groups)}
    />
  )
}
