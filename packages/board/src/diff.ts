import { applyChanges } from './apply.ts'
import { isFixed } from './apply-add.ts'
import { nodeParts } from './apply-set.ts'
import { type Board, isRoot, openBoard, rootOf, subtreeOf, textOfBoard } from './board.ts'
import { type Change, documentId } from './change.ts'
import { diffPages } from './diff-pages.ts'
import { differences } from './differences.ts'
import { hasEqualRest } from './equal-rest.ts'
import { type Document, type HeadPart, headParts } from './document.ts'
import { fieldOf, isEqualJson, type Json } from './json.ts'
import type { Node } from './node.ts'

/** Changes that make the second board of the first. */
export function diff(from: Document, to: Document): Change[] {
  const wanted = openBoard(to)
  const tried = openBoard(from)
  const fine = diffBoards(tried, wanted, 'fine')
  if (textOfBoard(tried) === textOfBoard(wanted)) return fine
  // Some are refused halfway, such as a move that is too deep until another is made.
  return diffBoards(openBoard(from), wanted, 'whole')
}

/** Way of comparing: `fine` moves and sets what differs, `whole` removes nodes that differ and adds them again. */
type Way = 'fine' | 'whole'

/** Makes the second board of the first, and answers the changes. */
function diffBoards(board: Board, to: Board, way: Way): Change[] {
  const changes: Change[] = []
  const make = (...next: Change[]) => {
    applyChanges(board, next)
    changes.push(...next)
  }
  for (const node of board.nodes.values()) {
    if (isToRemove(board, to, node, way)) make({ op: 'remove', id: node.id })
  }
  diffPages(board, to, make)
  for (const page of to.head.pages) {
    const root = rootOf(to, page)
    if (root) for (const node of subtreeOf(to, root)) make(...placing(board, node))
  }
  for (const node of to.nodes.values()) make(...settings(board.nodes.get(node.id), node))
  for (const part of Object.keys(headParts) as HeadPart[]) {
    make(...differences(documentId, [part], jsonOf(board.head[part]), jsonOf(to.head[part])))
  }
  return changes
}

// What a document has is JSON; its types have fields that may be undefined, which no document has.
const jsonOf = (value: unknown) => value as Json | undefined

function isToRemove(board: Board, to: Board, node: Node, way: Way) {
  if (isFixed(board, node) || !board.nodes.has(node.id)) return false
  const other = to.nodes.get(node.id)
  if (!other || other.kind !== node.kind || isRoot(to, other)) return true
  return way === 'whole' ? !isEqualJson(node, other) : !hasEqualRest(node, other)
}

/** Change that brings a node to its parent and type. */
function placing(board: Board, node: Node): Change[] {
  const now = board.nodes.get(node.id)
  if (!now) return [{ op: 'add', node }]
  const { id, parent, order, box, type } = node
  const changes: Change[] = []
  if (parent !== null && (now.parent !== parent || now.order !== order)) {
    changes.push({ op: 'move', id, parent, order, box })
  }
  if (now.type !== type) changes.push({ op: 'type', id, type })
  return changes
}

const settings = (now: Node | undefined, node: Node): Change[] =>
  now === undefined
    ? []
    : [...nodeParts].flatMap((part) =>
        differences(node.id, [part], fieldOf(now, part), fieldOf(node, part)),
      )
