import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, query } from '../api/api.ts'
import { useSession } from '../session/session.ts'
import { modelPaths, type ModelPath } from './model-paths.ts'
import { isModelNode } from './model-tree-rules.ts'
import { useModelChoices } from './use-model-choices.ts'

type Asked = {
  /** Organization that uses it; by default that of the session. */
  organization?: string
  /** Id of a version of it, where a name means several models. */
  modelId?: string | undefined
}

/** Paths of the data points of a model, as `Oven:1`; empty while they load, and of an unknown one. */
export function useModelPaths(
  model: string,
  { organization: of, modelId }: Asked = {},
): readonly ModelPath[] {
  const own = useSession().organization.resourceId
  const organization = of ?? own
  const named = useModelChoices(organization).find(({ scope }) => scope === model)?.id
  const id = modelId ?? named ?? ''
  const { data } = useQuery({
    ...query(api.mappings.model, { params: { id }, query: { organization } }),
    enabled: id !== '',
  })
  const tree = data?.json
  return useMemo(() => (isModelNode(tree) ? modelPaths(model, tree) : none), [model, tree])
}

const none: readonly ModelPath[] = []
