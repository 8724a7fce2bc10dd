import { useMemo } from 'react'
import { useTags } from '../../../parts/devices/devices.ts'
import type { ModelPath } from '../../../parts/models/model-paths.ts'
import { useModelPaths } from '../../../parts/models/use-model-paths.ts'

export type RulePath = ModelPath

type Scope = { model?: string; deviceId?: string }

/** Paths of the model or the device of a rule; empty while they load. */
export function useRulePaths({ model = '', deviceId = '' }: Scope): readonly RulePath[] {
  const ofModel = useModelPaths(model)
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
