import { useWords } from '@longreach/ui/use-words'
import { Select } from '@mantine/core'
import { ambiguousModels, type rulesInFile, withModel } from './import-file.ts'
import type { Issue } from './rule-calls.ts'
import { useOwnerName } from './use-owner-name.ts'

type Rules = NonNullable<ReturnType<typeof rulesInFile>>
type Props = {
  outcomes: readonly { issues: readonly Issue[] }[]
  rules: Rules
  onRules: (rules: Rules) => void
}

/** Questions of an import which model its rules mean, one for each name that several models have. */
export function ImportModels({ outcomes, rules, onRules }: Props) {
  const t = useWords()
  const nameOf = useOwnerName()
  return ambiguousModels(outcomes).map(({ model, choices }) => (
    <Select
      key={model}
      label={t('rule-places.importModel', { model })}
      placeholder={t('rule-places.whichModel')}
      data={choices.map(({ modelId, organization }) => ({
        value: modelId,
        label: t('rule-places.modelOf', { organization: nameOf(organization) }),
      }))}
      value={null}
      onChange={(modelId) => modelId !== null && onRules(withModel(rules, model, modelId))}
    />
  ))
}
