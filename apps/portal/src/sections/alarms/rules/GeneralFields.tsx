import { useWords } from '@longreach/ui/use-words'
import { Checkbox, SegmentedControl, Select, Switch } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../../parts/api/api.ts'
import { deviceQuery } from '../../../parts/devices/devices.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { DeviceGroupsField } from './DeviceGroupsField.tsx'
import { useRuleOrganization } from './rule-calls.ts'
import { useEditing } from './rule-context.ts'
import { withRuleKind } from './rule-draft.ts'
import { ModelSelect } from './ModelSelect.tsx'
import { TextField } from './RuleField.tsx'
import { classes } from './rule-classes.ts'

const kinds = ['condition', 'silence', 'connection'] as const

/** Name, devices and kind of a rule. */
export function GeneralFields() {
  const t = useWords()
  const { rule, set, edit, locked, below, setBelow } = useEditing()
  const isOfModel = 'model' in rule.scope
  return (
    <div className={classes.fields}>
      <TextField place="name" label={t('alarm-rules.name')} maxLength={100} />
      <div className={classes.pair}>
        <div>
          <SegmentedControl
            aria-label={t('alarm-rules.scope')}
            disabled={locked}
            data={[
              { value: 'model', label: t('alarm-rules.ofModel') },
              { value: 'device', label: t('alarm-rules.ofDevice') },
            ]}
            value={isOfModel ? 'model' : 'device'}
            onChange={(next) => set('scope', next === 'model' ? { model: '' } : { deviceId: '' })}
          />
        </div>
        {isOfModel ? <ModelSelect /> : <DeviceChoice />}
      </div>
      <SegmentedControl
        aria-label={t('alarm-rules.kind')}
        disabled={locked}
        data={kinds.map((kind) => ({ value: kind, label: t(`alarm-rules.kindOf.${kind}`) }))}
        value={rule.kind}
        onChange={(next) =>
          edit((before) => withRuleKind(before, kinds.find((kind) => kind === next) ?? 'condition'))
        }
      />
      <Switch
        label={t('alarm-rules.enabled')}
        disabled={locked}
        checked={rule.enabled}
        onChange={(event) => set('enabled', event.currentTarget.checked)}
      />
      {isOfModel && <DeviceGroupsField />}
      {isOfModel && (
        <Checkbox
          label={t('alarm-rules.below')}
          description={t('alarm-rules.belowHelp')}
          disabled={locked}
          checked={below}
          onChange={(event) => setBelow(event.currentTarget.checked)}
        />
      )}
    </div>
  )
}

function DeviceChoice() {
  const t = useWords()
  const { rule, set, faultOf, locked } = useEditing()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, 250)
  const { data } = useQuery(
    query(api.mappings.devices, {
      query: { ...useRuleOrganization(), page: 0, pageSize: 50, ...(search !== '' && { search }) },
    }),
  )
  const value = 'deviceId' in rule.scope ? rule.scope.deviceId : ''
  const chosen = useQuery({ ...deviceQuery(useReach(), value), enabled: value !== '' })
  const found = (data?.data ?? []).map(({ deviceId, label }) => ({ value: deviceId, label }))
  const own = chosen.data && { value, label: chosen.data.value.label }
  const isListed = found.some((one) => one.value === value)
  return (
    <Select
      aria-label={t('alarm-rules.device')}
      placeholder={t('alarm-rules.chooseDevice')}
      searchable
      disabled={locked}
      error={faultOf('scope.deviceId') ?? faultOf('scope')}
      nothingFoundMessage={t('alarm-rules.noDevice')}
      data={own && !isListed ? [own, ...found] : found}
      value={value === '' ? null : value}
      filter={({ options }) => options}
      onSearchChange={(next) => setText(next === own?.label ? '' : next)}
      onChange={(deviceId) => set('scope', { deviceId: deviceId ?? '' })}
    />
  )
}
