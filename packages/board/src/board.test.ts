import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyChanges } from './apply.ts'
import { type Board, documentOf, openBoard, textOfBoard } from './board.ts'
import { changeFor, group, picks, type Pick, smallDocument, widget } from './board-testing.ts'
import type { Change } from './change.ts'
import { diff } from './diff.ts'
import type { Document } from './document.ts'
import { newPage } from './new-document.ts'
import { readDocument } from './read.ts'
import { rebase, type Unsent } from './rebase.ts'
import { makeSteps, undoOf } from './undo.ts'

const runs = Number(process.env['BOARD_RUNS'] ?? 500)

/** Makes a change for each choice. */
function makeAll(board: Board, chosen: readonly Pick[], prefix?: string) {
  return chosen.map((pick) => {
    const change = changeFor(board, pick, prefix)
    return { change, ...applyChanges(board, [change]) }
  })
}

const boardOf = (chosen: readonly Pick[]) => {
  const board = openBoard(smallDocument())
  makeAll(board, chosen)
  return board
}

describe('changes of a board', () => {
  it('all undone give the first document byte for byte', () => {
    fc.assert(
      fc.property(picks(40), picks(60), (before, chosen) => {
        const board = boardOf(before)
        const first = textOfBoard(board)
        const made = makeAll(board, chosen)
        for (const { inverse } of made.toReversed()) {
          expect(applyChanges(board, inverse).dropped).toEqual([])
        }
        expect(textOfBoard(board)).toBe(first)
      }),
      { numRuns: runs },
    )
  })

  it('as one command are undone by one list of changes', () => {
    fc.assert(
      fc.property(picks(30), picks(30), (before, chosen) => {
        const board = boardOf(before)
        const first = textOfBoard(board)
        const changes = makeAll(openBoard(documentOf(board)), chosen).map(({ change }) => change)
        const { inverse } = applyChanges(board, changes)
        const second = textOfBoard(board)
        const redo = applyChanges(board, inverse).inverse
        expect(textOfBoard(board)).toBe(first)
        applyChanges(board, redo)
        expect(textOfBoard(board)).toBe(second)
      }),
      { numRuns: runs },
    )
  })

  it('keep pages, root groups and the tree whole, whatever is asked', () => {
    fc.assert(
      fc.property(picks(120), (chosen) => {
        const board = boardOf(chosen)
        const read = readDocument(JSON.parse(textOfBoard(board)))
        expect(read.ok ? [] : read.issues).toEqual([])
        // What is counted on the way equals a count of the whole.
        const counted = openBoard(documentOf(board))
        expect([board.bindings, board.bytes]).toEqual([counted.bindings, counted.bytes])
      }),
      { numRuns: runs },
    )
  })

  it('are found by comparison: the difference of two boards makes the second of the first', () => {
    fc.assert(
      fc.property(picks(60), picks(60), fc.boolean(), (before, chosen, isRelated) => {
        const from = boardOf(before)
        const to = isRelated ? openBoard(documentOf(from)) : openBoard(smallDocument())
        makeAll(to, chosen)
        const changes = diff(documentOf(from), documentOf(to))
        const made = applyChanges(from, changes)
        expect(textOfBoard(from)).toBe(textOfBoard(to))
        expect(made.dropped).toEqual([])
      }),
      { numRuns: runs },
    )
  })
})

/** Editor beside a server: what it has been told, and what it has not been told yet. */
class Editor {
  readonly board: Board
  unsent: Unsent[] = []
  heard = 0
  answered = 0
  readonly name: string
  constructor(start: Document, name: string) {
    this.board = openBoard(start)
    this.name = name
  }
  edit(pick: Pick) {
    const changes = [changeFor(this.board, pick, this.name)]
    this.unsent.push({ changes, inverse: applyChanges(this.board, changes).inverse })
  }
}

/** Server of one board: its changes in their order, each with the editor that sent it. */
class Server {
  readonly board: Board
  readonly log: { by: Editor; changes: readonly Change[] }[] = []
  constructor(start: Document) {
    this.board = openBoard(start)
  }
  /** Takes the next change that an editor has not sent yet. */
  takeFrom(editor: Editor) {
    const sent = this.log.filter(({ by }) => by === editor).length
    const next = editor.unsent[sent - editor.answered]
    if (!next) return
    applyChanges(this.board, next.changes)
    this.log.push({ by: editor, changes: next.changes })
  }
  tell(editor: Editor) {
    for (const { by, changes } of this.log.slice(editor.heard)) {
      const own = by === editor ? 1 : 0
      editor.unsent = rebase(editor.board, editor.unsent, changes, own).unsent
      editor.answered += own
      editor.heard += 1
    }
  }
}

it('two boards are compared though a group of one is a root group of the other', () => {
  const from = smallDocument()
  from.nodes['inner'] = group('inner')
  from.nodes['leaf'] = widget('leaf', { parent: 'inner' })
  const to = smallDocument()
  to.pages = ['other', 'page']
  to.nodes['other'] = { ...newPage('Other').page, id: 'other' }
  to.nodes['inner'] = { ...newPage('Other').root, id: 'inner', parent: 'other' }
  to.nodes['leaf'] = widget('leaf')
  for (const [one, other] of [
    [from, to],
    [to, from],
  ] as const) {
    const board = openBoard(one)
    applyChanges(board, diff(one, other))
    expect(textOfBoard(board)).toBe(textOfBoard(openBoard(other)))
  }
})

describe('editors of one board', () => {
  it('have the same board in the end, in whatever order their changes arrive', () => {
    const turns = fc.array(
      fc.record({ who: fc.nat({ max: 3 }), does: fc.nat({ max: 3 }), pick: picks(1) }),
      { maxLength: 80 },
    )
    fc.assert(
      fc.property(picks(8), turns, fc.integer({ min: 2, max: 4 }), (before, all, count) => {
        const start = documentOf(boardOf(before))
        const server = new Server(start)
        const editors = Array.from({ length: count }, (_, i) => new Editor(start, `ed${i}x`))
        for (const { who, does, pick } of all) {
          const editor = editors[who % count]
          if (!editor) continue
          if (does === 0) server.takeFrom(editor)
          else if (does === 1) server.tell(editor)
          else for (const one of pick) editor.edit(one)
        }
        for (const editor of editors) {
          for (let left = editor.unsent.length; left > 0; left -= 1) server.takeFrom(editor)
        }
        for (const editor of editors) server.tell(editor)
        const wanted = textOfBoard(server.board)
        for (const editor of editors) {
          expect(editor.unsent).toEqual([])
          expect(textOfBoard(editor.board)).toBe(wanted)
        }
        const read = readDocument(documentOf(server.board))
        expect(read.ok ? [] : read.issues).toEqual([])
      }),
      { numRuns: runs },
    )
  })

  it('keep what they moved into a new group, when they hear of others before the server has both', () => {
    const document = smallDocument()
    document.nodes['leaf'] = widget('leaf')
    const board = openBoard(document)
    const changes: Change[] = [
      { op: 'add', node: group('inner') },
      { op: 'move', id: 'leaf', parent: 'inner', order: 'V' },
    ]
    const unsent = changes.map((change) => {
      return { changes: [change], inverse: applyChanges(board, [change]).inverse }
    })
    rebase(board, unsent, [{ op: 'set', id: 'leaf', path: ['name'], value: 'Theirs' }])
    expect(board.nodes.get('leaf')).toMatchObject({ parent: 'inner', name: 'Theirs' })
  })

  it('undo their own changes only: what another has changed since stays, and is counted', () => {
    const board = openBoard(smallDocument())
    const steps = makeSteps(board, [
      { op: 'set', id: 'root', path: ['name'], value: 'Mine' },
      { op: 'set', id: 'root', path: ['props', 'columns'], value: 12 },
    ])
    applyChanges(board, [{ op: 'set', id: 'root', path: ['name'], value: 'Theirs' }])
    const { changes, skipped } = undoOf(board, steps)
    applyChanges(board, changes)
    expect(skipped).toBe(1)
    expect(board.nodes.get('root')).toMatchObject({ name: 'Theirs', props: { layout: 'grid' } })
    expect(board.nodes.get('root')?.props).not.toHaveProperty('columns')
  })
})
