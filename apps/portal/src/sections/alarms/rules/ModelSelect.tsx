import { useWords } from '@longreach/ui/use-words'
import { Select } from '@mantine/core'
import { useState } from 'react'
import { useModelChoices } from '../../../parts/models/use-model-choices.ts'
import { type Issue, useRuleOrganization } from './rule-calls.ts'
import { useEditing } from './rule-context.ts'
import { classes } from './rule-classes.ts'
import { useOwnerName } from './use-owner-name.ts'

/** Model of a rule by its name, and which one where the name means several. */
export function ModelSelect() {
  const t = useWords()
  const { rule, set, faultOf, locked, modelOwner } = useEditing()
  const nameOf = useOwnerName()
  const models = useModelChoices(useRuleOrganization().organization)
  const value = 'model' in rule.scope ? rule.scope.model : ''
  const known = [
    ...new Set([...models.map(({ scope }) => scope), ...(value === '' ? [] : [value])]),
  ]
  return (
    <div className={classes.fields}>
      <Select
        aria-label={t('alarm-rules.model')}
        placeholder={t('alarm-rules.chooseModel')}
        description={modelOwner && t('rule-places.modelOf', { organization: nameOf(modelOwner) })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        searchable
        disabled={locked}
        error={faultOf('scope.model') ?? faultOf('scope.modelId') ?? faultOf('scope')}
        nothingFoundMessage={t('alarm-rules.noModel')}
        data={known}
        value={value === '' ? null : value}
        onChange={(model) => set('scope', { model: model ?? '' })}
      />
      <WhichModel key={value} model={value} />
    </div>
  )
}

type Choices = NonNullable<Issue['choices']>

/** Choice of one of the models of a name; it stays after the choice, until another name is chosen. */
function WhichModel({ model }: { model: string }) {
  const t = useWords()
  const { rule, set, choicesOf, locked } = useEditing()
  const nameOf = useOwnerName()
  const [kept, setKept] = useState<Choices>()
  const asked = choicesOf('scope.model') ?? choicesOf('scope.modelId')
  if (asked !== undefined && asked !== kept) setKept(asked)
  const choices = asked ?? kept
  if (choices === undefined) return null
  const modelId = 'model' in rule.scope ? rule.scope.modelId : undefined
  return (
    <Select
      label={t('rule-places.whichModel')}
      disabled={locked}
      data={choices.map(({ modelId: value, organization }) => ({
        value,
        label: t('rule-places.modelOf', { organization: nameOf(organization) }),
      }))}
      value={modelId ?? null}
      onChange={(next) => set('scope', { model, ...(next !== null && { modelId: next }) })}
    />
  )
}
