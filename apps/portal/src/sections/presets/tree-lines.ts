import {
  modelPathOf,
  type NodeId,
  parentOf,
  rowsOf,
  type TreeRow,
} from '../../parts/models/model-tree-rules.ts'
import type { Row, Tree } from './preset-tree-rules.ts'

type Shown = {
  closed: ReadonlySet<NodeId>
  /** Rows that the editor has of the model, by path. */
  known: ReadonlyMap<string, Row>
  /** Only these paths, with what they are in; then nothing is folded. */
  wanted: ReadonlySet<string> | undefined
}

/** The visible lines of a model in the editor; the model itself stands in the page's heading. */
export function treeLines(model: Tree, { closed, known, wanted }: Shown): TreeRow[] {
  const all = rowsOf(model, { closed: wanted ? new Set() : closed })
  const leading = new Set<NodeId>()
  for (const { id } of all) {
    const path = modelPathOf(id)
    if (!known.has(path) || (wanted && !wanted.has(path))) continue
    for (let at = id; at !== '' && !leading.has(at); at = parentOf(at)) leading.add(at)
  }
  return all
    .filter(({ id, open }) => id !== '' && (leading.has(id) || (open === false && !wanted)))
    .map((line) => ({ ...line, level: line.level - 1 }))
}
