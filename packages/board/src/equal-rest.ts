import { nodeParts } from './apply-set.ts'
import { fieldOf, isEqualJson } from './json.ts'
import type { Node } from './node.ts'

/** Comparison of what no change can set: fields of later schemas. */
export function hasEqualRest(node: Node, other: Node) {
  const keys = new Set([...Object.keys(node), ...Object.keys(other)])
  return [...keys].every(
    (key) => settable.has(key) || isEqualJson(fieldOf(node, key), fieldOf(other, key)),
  )
}

const settable = new Set([...nodeParts, 'type', 'parent', 'order'])
