import { roomFault } from './apply-add.ts'
import { type Board, bytesOf, type Head, putNode } from './board.ts'
import { type ChangeOf, documentId, type DropCode, type Made } from './change.ts'
import { type HeadPart, headParts } from './document.ts'
import type { Id } from './id.ts'
import { faultOfJson, isEqualJson, isForbiddenKey, type Json } from './json.ts'
import { boardLimits } from './limits.ts'
import { Node } from './node.ts'
import { setAt, type Setting } from './set-at.ts'

/** Fields of a node that `set` changes. */
export const nodeParts: ReadonlySet<string> = new Set([
  'name',
  'box',
  'phone',
  'look',
  'props',
  'bind',
  'format',
  'acts',
  'access',
  'lock',
  'hide',
])

/** Sets or takes away a value in a node or in the document, if the whole fits its schema afterwards. */
export function setValue(board: Board, change: ChangeOf<'set'>, touched: Set<Id>): Made {
  const fault = faultOfSetting(change)
  if (fault) return fault
  return change.id === documentId
    ? setInHead(board, change, touched)
    : setInNode(board, change, touched)
}

function faultOfSetting({ path, value }: ChangeOf<'set'>): DropCode | undefined {
  if (path.some(isForbiddenKey)) return 'invalid'
  return value !== undefined && faultOfJson(value, boardLimits.valueDepth) ? 'invalid' : undefined
}

function settingOf({ path, value, before }: ChangeOf<'set'>): Setting {
  return { path, ...(value !== undefined && { value }), ...(before !== undefined && { before }) }
}

const inverseOf = (id: string, { path, value, before }: Setting): ChangeOf<'set'> => ({
  op: 'set',
  id,
  path: [...path],
  ...(value !== undefined && { value }),
  ...(before !== undefined && { before }),
})

function setInNode(board: Board, change: ChangeOf<'set'>, touched: Set<Id>): Made {
  const node = board.nodes.get(change.id)
  if (!node) return 'gone'
  if (!nodeParts.has(change.path[0] ?? '')) return 'not_settable'
  // A node is JSON; its type has fields that may be undefined, which no document has.
  const set = setAt(node as unknown as Json, settingOf(change))
  if (set === undefined) return []
  if (typeof set === 'string') return set
  const read = Node.safeParse(set.value)
  if (!read.success) return 'invalid'
  const next = isEqualJson(read.data, set.value) ? (set.value as unknown as Node) : read.data
  const noRoom = roomFault(board, next)
  if (noRoom) return noRoom
  putNode(board, next)
  touched.add(node.id)
  return [inverseOf(node.id, set.inverse)]
}

const isHeadPart = (part: string | undefined): part is HeadPart =>
  part !== undefined && Object.hasOwn(headParts, part)

function setInHead(board: Board, change: ChangeOf<'set'>, touched: Set<Id>): Made {
  const [part] = change.path
  if (!isHeadPart(part)) return 'not_settable'
  const set = setAt(board.head as unknown as Json, settingOf(change))
  if (set === undefined) return []
  if (typeof set === 'string') return set
  const head = set.value as unknown as Head
  const read = headParts[part].safeParse(head[part])
  if (!read.success) return 'invalid'
  const next: Head = {
    ...head,
    [part]: isEqualJson(read.data, head[part]) ? head[part] : read.data,
  }
  const bytes = bytesOf(next) - bytesOf(board.head)
  if (bytes > 0 && board.bytes + bytes > boardLimits.bytes) return 'too_large'
  board.bytes += bytes
  board.head = next
  touched.add(documentId)
  return [inverseOf(documentId, set.inverse)]
}
