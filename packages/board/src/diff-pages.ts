import { type Board, pagesOf, rootOf } from './board.ts'
import type { Change } from './change.ts'
import type { Id } from './id.ts'
import { hasEqualRest } from './equal-rest.ts'
import { newPage } from './new-document.ts'
import type { Node } from './node.ts'

type Make = (change: Change) => void

/** Removes pages that are not in the other board, adds those that are not in this one, and puts them in order. */
export function diffPages(board: Board, to: Board, make: Make) {
  const stale = pagesOf(board).filter(({ id }) => !isSamePage(board, to, id))
  const spare = stale.length === board.head.pages.length ? newPage('') : undefined
  if (spare) make({ op: 'page', do: { do: 'add', ...spare } })
  for (const { id } of stale) make({ op: 'page', do: { do: 'remove', page: id } })
  for (const page of pagesOf(to)) {
    const root = rootOf(to, page.id)
    if (root && !board.nodes.has(page.id)) make({ op: 'page', do: { do: 'add', page, root } })
  }
  if (spare) make({ op: 'page', do: { do: 'remove', page: spare.page.id } })
  orderPages(board, to.head.pages, make)
}

/** Pages that can stay: such a page and its root group are the same in all that no change can set. */
function isSamePage(board: Board, to: Board, id: Id) {
  return isSame(board.nodes.get(id), to.nodes.get(id)) && isSame(rootOf(board, id), rootOf(to, id))
}

const isSame = (one: Node | undefined, other: Node | undefined) =>
  one !== undefined &&
  other !== undefined &&
  one.id === other.id &&
  one.kind === other.kind &&
  one.type === other.type &&
  one.order === other.order &&
  hasEqualRest(one, other)

function orderPages(board: Board, pages: readonly Id[], make: Make) {
  for (let index = pages.length - 1; index >= 0; index -= 1) {
    const page = pages[index]
    const before = pages[index + 1]
    const now = board.head.pages
    const isRight = page !== undefined && now[now.indexOf(page) + 1] === before
    if (page !== undefined && !isRight) {
      make({ op: 'page', do: { do: 'move', page, ...(before !== undefined && { before }) } })
    }
  }
}
