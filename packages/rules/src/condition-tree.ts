/** Condition over numbered leaves. */
export type Tree =
  | number
  | { op: 'all' | 'any'; parts: readonly Tree[] }
  | { op: 'not'; part: Tree }

/** Truth of leaf at an index; null is unknown. */
type TruthOf = (leaf: number) => boolean | null

/** Truth of a tree in Kleene's three-valued logic: an unknown part counts only where it decides. */
export function treeTruth(tree: Tree, truthOf: TruthOf): boolean | null {
  if (typeof tree === 'number') return truthOf(tree)
  if (tree.op === 'not') {
    const truth = treeTruth(tree.part, truthOf)
    return truth === null ? null : !truth
  }
  const deciding = tree.op === 'any'
  let unknown = false
  for (const part of tree.parts) {
    const truth = treeTruth(part, truthOf)
    if (truth === deciding) return deciding
    unknown ||= truth === null
  }
  return unknown ? null : !deciding
}
