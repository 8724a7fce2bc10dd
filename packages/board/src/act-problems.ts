import type { Act } from './act.ts'
import { slotProblem, tagProblems, variableProblem } from './binding-problems.ts'
import type { Board } from './board.ts'
import type { KnownTags } from './known-tags.ts'
import type { Node } from './node.ts'
import type { Problem } from './problem.ts'

/** Problems of the actions of a node: what they write, open, set or ask is not there. */
export const actProblems = (board: Board, tags: KnownTags, { id, acts }: Node): Problem[] =>
  Object.entries(acts).flatMap(([at, list]) =>
    list
      .flatMap((act) => problemsOfAct(board, tags, act))
      .map((problem) => ({ ...problem, node: id, at })),
  )

function problemsOfAct(board: Board, tags: KnownTags, act: Act): Problem[] {
  if ('write' in act) return tagProblems(board, tags, { ...act.write, isWritten: true })
  if ('popup' in act) return nodeProblem(board, act.popup.node, 'unknown_node')
  if ('set' in act) return variableProblem(board, act.set.variable)
  if ('slot' in act) return slotProblem(board, act.slot.slot)
  if ('device' in act) return slotProblem(board, act.device.slot)
  if ('open' in act && 'page' in act.open) return pageProblem(board, act.open.page)
  return []
}

const nodeProblem = (board: Board, node: string, code: 'unknown_node'): Problem[] =>
  board.nodes.has(node) ? [] : [{ code, params: { node } }]

const pageProblem = ({ head }: Board, page: unknown): Problem[] =>
  typeof page === 'string' && head.pages.includes(page)
    ? []
    : [{ code: 'unknown_page', params: { page: String(page) } }]
