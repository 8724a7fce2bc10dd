import { takeOut } from './apply-remove.ts'
import { roomFault } from './apply-add.ts'
import { type Board, bytesOf, type Head, putNode, rootOf } from './board.ts'
import { type Change, type ChangeOf, documentId, type DropCode, type Made } from './change.ts'
import type { Id } from './id.ts'
import { boardLimits } from './limits.ts'
import type { Node } from './node.ts'
import { faultOfNode } from './node-fault.ts'

type PageChange = ChangeOf<'page'>['do']

/** Adds a page with its root group, moves one among the pages, or removes one; the last one stays. */
export function changePages(board: Board, change: ChangeOf<'page'>, touched: Set<Id>): Made {
  switch (change.do.do) {
    case 'add':
      return addPage(board, change.do, touched)
    case 'move':
      return movePage(board, change.do, touched)
    case 'remove':
      return removePage(board, change.do, touched)
  }
}

type Add = Extract<PageChange, { do: 'add' }>

function addPage(board: Board, change: Add, touched: Set<Id>): Made {
  const { page, root, before } = change
  const fault = faultOfPage(board, change)
  if (fault) return fault
  putNode(board, page)
  putNode(board, root)
  setPages(board, placed(board.head.pages, page.id, before))
  touched.add(page.id).add(root.id).add(documentId)
  return [{ op: 'page', do: { do: 'remove', page: page.id } }]
}

function faultOfPage(board: Board, { page, root }: Add): DropCode | undefined {
  if (page.kind !== 'page' || root.kind !== 'group' || root.parent !== page.id) return 'invalid'
  if (page.id === root.id) return 'invalid'
  if (board.nodes.has(page.id) || board.nodes.has(root.id)) return 'exists'
  if (board.head.pages.length >= boardLimits.pages) return 'too_many_pages'
  if (board.nodes.size + 2 > boardLimits.nodes) return 'too_many_nodes'
  return faultOfNode(page) ?? faultOfNode(root) ?? roomFault(board, page) ?? roomFault(board, root)
}

function movePage(
  board: Board,
  { page, before }: Extract<PageChange, { do: 'move' }>,
  touched: Set<Id>,
): Made {
  const { pages } = board.head
  if (!pages.includes(page)) return 'gone'
  const next = placed(pages, page, before)
  if (next.every((id, index) => id === pages[index])) return []
  const inverse = placeOf(pages, page)
  setPages(board, next)
  touched.add(documentId)
  return [{ op: 'page', do: { do: 'move', page, ...inverse } }]
}

function removePage(
  board: Board,
  { page: id }: Extract<PageChange, { do: 'remove' }>,
  touched: Set<Id>,
): Made {
  const { pages } = board.head
  const page = board.nodes.get(id)
  const root = rootOf(board, id)
  if (!pages.includes(id) || !page || !root) return 'gone'
  if (pages.length === 1) return 'last_page'
  const inverse = placeOf(pages, id)
  const gone = takeOut(board, page, touched).filter((node) => node !== page && node !== root)
  setPages(
    board,
    pages.filter((other) => other !== id),
  )
  touched.add(documentId)
  const added: Change = { op: 'page', do: { do: 'add', page, root, ...inverse } }
  return [added, ...gone.map((node: Node): Change => ({ op: 'add', node }))]
}

/** Page in front of which one stands now; nothing at the end. */
function placeOf(pages: readonly Id[], page: Id): { before?: Id } {
  const before = pages[pages.indexOf(page) + 1]
  return before === undefined ? {} : { before }
}

/** Pages with one in front of another, or at the end. */
function placed(pages: readonly Id[], page: Id, before: Id | undefined) {
  const others = pages.filter((id) => id !== page)
  const found = before === undefined ? -1 : others.indexOf(before)
  return others.toSpliced(found === -1 ? others.length : found, 0, page)
}

function setPages(board: Board, pages: Id[]) {
  const head: Head = { ...board.head, pages }
  board.bytes += bytesOf(head) - bytesOf(board.head)
  board.head = head
}
