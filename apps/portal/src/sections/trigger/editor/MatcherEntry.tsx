import { Autocomplete } from '@mantine/core'
import { useModelChoices } from '../../../parts/models/use-model-choices.ts'
import { useModelPaths } from '../../../parts/models/use-model-paths.ts'
import { type TriggerFieldProps, useTriggerField } from './trigger-context.ts'

/** Data points by their path or pattern: first the models are offered, then the paths of the chosen one. */
export function MatcherEntry(props: TriggerFieldProps) {
  const { value, set, common } = useTriggerField(props)
  const text = typeof value === 'string' ? value : ''
  const models = useModelChoices()
  const paths = useModelPaths(text.split('/')[0] ?? '')
  const offered = text.includes('/')
    ? paths.map(({ path }) => path)
    : [...new Set(models.map(({ scope }) => `${scope}/`))]
  return (
    <Autocomplete
      {...common}
      size="xs"
      data={offered}
      limit={100}
      maxLength={500}
      value={text}
      onChange={set}
    />
  )
}
