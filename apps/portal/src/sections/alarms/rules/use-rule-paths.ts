import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTags } from '../../../parts/devices/devices.ts'
import { api, query } from '../../../parts/api/api.ts'
import {
  isModelNode,
  itemName,
  kindOf,
  nodesOf,
  stepsOf,
} from '../../../parts/models/model-tree-rules.ts'
import { useRuleOrganization } from './rule-calls.ts'
import { useModelChoices } from './use-model-choices.ts'

/** Path that a rule can use, with what is known of its values. */
export type RulePath = { path: string; type: string; unit?: string }

type Scope = { model?: string; deviceId?: string }

/** Paths of the model or the device of a rule; empty while they load. */
export function useRulePaths({ model = '', deviceId = '' }: Scope): readonly RulePath[] {
  const here = useRuleOrganization()
  const models = useModelChoices()
  const id = models.find(({ scope }) => scope === model)?.id ?? ''
  const { data } = useQuery({
    ...query(api.mappings.model, { params: { id }, query: here }),
    enabled: id !== '',
  })
  const { tags } = useTags(deviceId, { live: false })
  const tree = data?.json
  return useMemo(() => {
    if (deviceId !== '') {
      return tags.map(({ path, type, unit }) => ({
        path,
        type,
        ...(unit !== undefined && { unit }),
      }))
    }
    return isModelNode(tree) ? pathsOfModel(model, tree) : []
  }, [deviceId, tags, model, tree])
}

/** Paths of the leaves of a model: `Oven:1/zones[*]/temperature`. */
function pathsOfModel(scope: string, tree: Parameters<typeof nodesOf>[0]): RulePath[] {
  return nodesOf(tree).flatMap(({ id, node }) => {
    if (id === '' || kindOf(node) !== 'leaf') return []
    const path = stepsOf(id).reduce(
      (above, step) => (step === itemName ? `${above}${step}` : `${above}/${step}`),
      scope,
    )
    const unit = node['unit']
    return [
      {
        path,
        type: String(node['type']),
        ...(typeof unit === 'string' && unit !== '' && { unit }),
      },
    ]
  })
}
