import { useMemo } from 'react'
import { useTags } from '../../../parts/devices/devices.ts'
import type { ModelPath } from '../../../parts/models/model-paths.ts'
import { useModelPaths } from '../../../parts/models/use-model-paths.ts'
import { useRuleOrganization } from './rule-calls.ts'

export type RulePath = ModelPath

type Scope = { model?: string; modelId?: string | undefined; deviceId?: string }

/** Paths of the model or the device of a rule; empty while they load. */
export function useRulePaths({ model = '', modelId, deviceId = '' }: Scope): readonly RulePath[] {
  const ofModel = useModelPaths(model, { ...useRuleOrganization(), modelId })
  const { tags } = useTags(deviceId, { live: false })
  return useMemo(() => {
    if (deviceId === '') return ofModel
    return tags.map(({ path, type, unit }) => ({
      path,
      type,
      ...(unit !== undefined && { unit }),
    }))
  }, [deviceId, tags, ofModel])
}
