import { itemName, kindOf, nodesOf, stepsOf } from './model-tree-rules.ts'

/** Path of a data point, with what is known of its values. */
export type ModelPath = { path: string; type: string; unit?: string }

/** Paths of the leaves of a model: `Oven:1/zones[*]/temperature`. */
export function modelPaths(scope: string, tree: Parameters<typeof nodesOf>[0]): ModelPath[] {
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
