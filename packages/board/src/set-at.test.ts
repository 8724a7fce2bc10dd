import { describe, expect, it } from 'vitest'
import { applyChanges } from './apply.ts'
import { openBoard, textOfBoard } from './board.ts'
import { smallDocument, widget } from './board-testing.ts'
import type { Change } from './change.ts'
import type { Json } from './json.ts'

/** Board with one widget `text`, whose list has the items `aaaa`, `bbbb` and `cccc`. */
function boardWithList() {
  const document = smallDocument()
  const list = ['aaaa', 'bbbb', 'cccc'].map((id) => ({ id, n: 1 }))
  document.nodes['text'] = widget('text', { props: { list, label: 'Old' } })
  return openBoard(document)
}

const set = (path: string[], value?: Json, before?: string): Change => ({
  op: 'set',
  id: 'text',
  path,
  ...(value !== undefined && { value }),
  ...(before !== undefined && { before }),
})

/** Ids of the list after a change, which is then undone and must leave nothing behind. */
function listAfter(change: Change) {
  const board = boardWithList()
  const first = textOfBoard(board)
  const { inverse, dropped } = applyChanges(board, [change])
  const list = board.nodes.get('text')?.props as { list: { id: string; n: number }[] }
  const shown = list.list.map(({ id, n }) => `${id}=${n}`).join(' ')
  applyChanges(board, inverse)
  expect(textOfBoard(board)).toBe(first)
  return dropped[0]?.code ?? shown
}

describe('a setting in a list', () => {
  it.each([
    ['changes an item by its id', set(['props', 'list', 'bbbb', 'n'], 2), 'aaaa=1 bbbb=2 cccc=1'],
    ['takes an item away', set(['props', 'list', 'bbbb']), 'aaaa=1 cccc=1'],
    ['takes the last item away', set(['props', 'list', 'cccc']), 'aaaa=1 bbbb=1'],
    [
      'puts a new item at the end',
      set(['props', 'list', 'dddd'], { id: 'dddd', n: 4 }),
      'aaaa=1 bbbb=1 cccc=1 dddd=4',
    ],
    [
      'puts a new item in front of another',
      set(['props', 'list', 'dddd'], { id: 'dddd', n: 4 }, 'bbbb'),
      'aaaa=1 dddd=4 bbbb=1 cccc=1',
    ],
    [
      'moves an item in front of another',
      set(['props', 'list', 'cccc'], { id: 'cccc', n: 1 }, 'aaaa'),
      'cccc=1 aaaa=1 bbbb=1',
    ],
    [
      'moves an item to the end',
      set(['props', 'list', 'aaaa'], { id: 'aaaa', n: 1 }, ''),
      'bbbb=1 cccc=1 aaaa=1',
    ],
    [
      'refuses an item under another id',
      set(['props', 'list', 'bbbb'], { id: 'x', n: 1 }),
      'item_id',
    ],
    ['refuses a new id of an item', set(['props', 'list', 'bbbb', 'id'], 'dddd'), 'item_id'],
    ['refuses a place in an item that is gone', set(['props', 'list', 'eeee', 'n'], 1), 'no_place'],
    ['refuses an index', set(['props', 'list', '0', 'n'], 1), 'no_place'],
    ['refuses a place in a text', set(['props', 'label', 'deep'], 1), 'no_place'],
  ])('%s', (_, change, shown) => {
    expect(listAfter(change)).toBe(shown)
  })

  it('leaves the value itself as it was', () => {
    const board = boardWithList()
    const before = board.nodes.get('text')
    const text = JSON.stringify(before)
    applyChanges(board, [set(['props', 'list', 'aaaa', 'n'], 9)])
    expect(JSON.stringify(before)).toBe(text)
    expect(board.nodes.get('text')).not.toBe(before)
  })
})
