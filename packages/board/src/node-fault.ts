import type { DropCode } from './change.ts'
import { faultOfJson } from './json.ts'
import { boardLimits } from './limits.ts'
import { Node } from './node.ts'

/** Why a node cannot be in a document: a key or nesting that is refused, or what its schema says. */
export function faultOfNode(node: unknown): DropCode | undefined {
  if (faultOfJson(node, boardLimits.valueDepth)) return 'invalid'
  return Node.safeParse(node).success ? undefined : 'invalid'
}
