import { describe, expect, it } from 'vitest'
import { applyChanges } from './apply.ts'
import { openBoard, pagesOf, rootOf, textOfBoard } from './board.ts'
import { group, smallDocument, widget } from './board-testing.ts'
import { Change } from './change.ts'
import { boardLimits } from './limits.ts'
import { newPage } from './new-document.ts'

/** Code for which a change of a small board is left out; the board is as before then. */
function refusalOf(change: Change, nodes = [group('inner'), widget('leaf', { parent: 'inner' })]) {
  const document = smallDocument()
  for (const node of nodes) document.nodes[node.id] = node
  const board = openBoard(document)
  const before = textOfBoard(board)
  const { dropped, inverse } = applyChanges(board, [change])
  if (dropped.length > 0) expect([inverse, textOfBoard(board)]).toEqual([[], before])
  return dropped[0]?.code
}

const order = 'V'

describe('changes that are left out', () => {
  it.each<[string, Change, string]>([
    ['[K-02] the page is removed', { op: 'remove', id: 'page' }, 'fixed'],
    ['[K-02] the root group is removed', { op: 'remove', id: 'root' }, 'fixed'],
    ['the root group is moved', { op: 'move', id: 'root', parent: 'inner', order }, 'fixed'],
    ['the root group gets another type', { op: 'type', id: 'root', type: 'tabs' }, 'fixed'],
    ['the last page is removed', { op: 'page', do: { do: 'remove', page: 'page' } }, 'last_page'],
    [
      'a group goes into itself',
      { op: 'move', id: 'inner', parent: 'inner', order },
      'into_itself',
    ],
    ['a node goes into a widget', { op: 'move', id: 'inner', parent: 'leaf', order }, 'no_parent'],
    ['a node is gone', { op: 'remove', id: 'none' }, 'gone'],
    ['an id is taken', { op: 'add', node: widget('leaf') }, 'exists'],
    [
      'a node is added to a page',
      { op: 'add', node: widget('more', { parent: 'page' }) },
      'no_parent',
    ],
    ['an id is set', { op: 'set', id: 'leaf', path: ['id'], value: 'other' }, 'not_settable'],
    ['a parent is set', { op: 'set', id: 'leaf', path: ['parent'], value: 'root' }, 'not_settable'],
    ['nodes are set', { op: 'set', id: '@', path: ['nodes', 'leaf'] }, 'not_settable'],
    [
      'a box leaves its limits',
      { op: 'set', id: 'leaf', path: ['box', 'w'], value: 20_000 },
      'invalid',
    ],
    [
      'a key is __proto__',
      { op: 'set', id: 'leaf', path: ['props', '__proto__'], value: 1 },
      'invalid',
    ],
    [
      'a value has a key __proto__',
      { op: 'set', id: 'leaf', path: ['props', 'a'], value: JSON.parse('{"__proto__":{"x":1}}') },
      'invalid',
    ],
    [
      'a value is nested too deep',
      {
        op: 'set',
        id: 'leaf',
        path: ['props', 'a'],
        value: JSON.parse('['.repeat(10_000) + ']'.repeat(10_000)),
      },
      'invalid',
    ],
    [
      'a link would run a script',
      {
        op: 'set',
        id: 'leaf',
        path: ['acts', 'click'],
        value: [{ open: { url: 'javascript:alert(1)' } }],
      },
      'invalid',
    ],
    [
      'a slot has no label',
      { op: 'set', id: '@', path: ['slots', 'oven'], value: { many: true } },
      'invalid',
    ],
  ])('%s', (_, change, code) => {
    expect(refusalOf(change)).toBe(code)
  })

  it('a group would lie deeper than twelve', () => {
    const chain = Array.from({ length: boardLimits.depth - 1 }, (_, index) =>
      group(`level${index}`, { parent: index === 0 ? 'root' : `level${index - 1}` }),
    )
    const last = chain.at(-1)?.id ?? ''
    expect(refusalOf({ op: 'add', node: group('deeper', { parent: last }) }, chain)).toBe(
      'too_deep',
    )
    expect(refusalOf({ op: 'add', node: widget('fits', { parent: last }) }, chain)).toBeUndefined()
    const beside = [...chain, group('beside')]
    const move: Change = { op: 'move', id: 'level0', parent: 'beside', order }
    expect(refusalOf(move, beside)).toBe('too_deep')
  })

  it('the board would have more nodes, pages or bytes than allowed', () => {
    const many = Array.from({ length: boardLimits.nodes - 2 }, (_, index) => widget(`leaf${index}`))
    expect(refusalOf({ op: 'add', node: widget('more') }, many)).toBe('too_many_nodes')
    const large = 'x'.repeat(boardLimits.bytes)
    const set: Change = { op: 'set', id: 'leaf', path: ['props', 'text'], value: large }
    expect(refusalOf(set)).toBe('too_large')
    const board = openBoard(smallDocument())
    const pages = Array.from({ length: boardLimits.pages }, (_, index): Change => {
      return { op: 'page', do: { do: 'add', ...newPage(`Page ${index}`) } }
    })
    expect(applyChanges(board, pages).dropped).toEqual([
      { index: boardLimits.pages - 1, code: 'too_many_pages' },
    ])
  })
})

describe('a node whose group is gone', () => {
  it('goes to the root group of its page', () => {
    const board = openBoard(smallDocument())
    const { page, root } = newPage('Two')
    applyChanges(board, [{ op: 'page', do: { do: 'add', page, root } }])
    const added: Change[] = [
      { op: 'add', node: widget('one1', { parent: 'gone' }) },
      { op: 'add', node: widget('two2', { parent: 'gone' }), page: page.id },
    ]
    expect(applyChanges(board, added).dropped).toEqual([])
    expect(board.nodes.get('one1')?.parent).toBe('root')
    expect(board.nodes.get('two2')?.parent).toBe(root.id)
  })
})

describe('a page', () => {
  it('comes back with everything on it, in its place', () => {
    const board = openBoard(smallDocument())
    const { page, root } = newPage('Two')
    applyChanges(board, [
      { op: 'page', do: { do: 'add', page, root, before: 'page' } },
      { op: 'add', node: group('inner', { parent: root.id }) },
      { op: 'add', node: widget('leaf', { parent: 'inner' }) },
    ])
    const before = textOfBoard(board)
    const removal: Change = { op: 'page', do: { do: 'remove', page: page.id } }
    const { inverse } = applyChanges(board, [removal])
    expect(pagesOf(board).map(({ id }) => id)).toEqual(['page'])
    expect(board.nodes.has('leaf')).toBe(false)
    applyChanges(board, inverse)
    expect(textOfBoard(board)).toBe(before)
    expect(rootOf(board, page.id)?.id).toBe(root.id)
  })
})

describe('a posted change', () => {
  it.each([
    [{ op: 'add', node: { id: 'more', kind: 'widget' } }],
    [{ op: 'set', id: 'leaf', path: [] }],
    [{ op: 'set', id: 'leaf', path: ['a', 'b', 'c', 'd', 'e', 'f', 'g'], value: 1 }],
    [{ op: 'move', id: 'leaf', parent: 'root', order: 'a0' }],
    [{ op: 'move', id: '__proto__', parent: 'root', order: 'V' }],
    [{ op: 'burn' }],
  ])('is refused by its schema: %j', (change) => {
    expect(Change.safeParse(change).success).toBe(false)
  })

  it('is taken as it is, with what it leaves out', () => {
    const node = { id: 'more', kind: 'widget', type: 'value', parent: 'root', order: 'V', later: 1 }
    const read = Change.parse({ op: 'add', node })
    expect(read).toMatchObject({ node: { ...node, bind: {}, box: { w: 1, h: 1, r: 0 } } })
  })
})
