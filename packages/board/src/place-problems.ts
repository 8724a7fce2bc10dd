import { type Board, childrenOf } from './board.ts'
import type { Box, GroupNode, Node } from './node.ts'
import type { Problem } from './problem.ts'

/** Problems of where the children of a group lie: on each other in a grid, or outside of it. */
export function placeProblems(board: Board, node: Node): Problem[] {
  if (node.kind !== 'group' || node.type !== 'group') return []
  const shown = childrenOf(board, node.id).filter(({ hide }) => hide !== true)
  return isGrid(node) ? gridProblems(node, shown) : []
}

const isGrid = ({ props }: GroupNode) => (props.layout ?? 'grid') === 'grid'

/** Columns of a grid that says nothing. */
const defaultColumns = 24

function gridProblems({ props }: GroupNode, shown: readonly Node[]): Problem[] {
  const columns = props.columns ?? defaultColumns
  const byRow = shown.toSorted((one, other) => one.box.y - other.box.y)
  return byRow.flatMap((node, index): Problem[] => {
    const found: Problem[] = []
    if (isOutside(node.box, columns)) found.push({ code: 'off_page', node: node.id })
    const under = firstBelow(byRow, index)
    if (under) found.push({ code: 'overlapping', node: under.id, params: { other: node.id } })
    return found
  })
}

const isOutside = ({ x, y, w }: Box, columns: number) => x < 0 || y < 0 || x + w > columns

/** First node further down that lies on this one; they are in the order of their rows. */
function firstBelow(byRow: readonly Node[], index: number): Node | undefined {
  const node = byRow[index]
  if (!node) return undefined
  const end = node.box.y + node.box.h
  for (const other of byRow.slice(index + 1)) {
    if (other.box.y >= end) return undefined
    if (other.box.x < node.box.x + node.box.w && node.box.x < other.box.x + other.box.w)
      return other
  }
  return undefined
}
