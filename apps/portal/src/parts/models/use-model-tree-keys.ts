import { createTypeAhead, type TreeMove, treeMove } from '@longreach/ui/tree-moves'
import { type KeyboardEvent, useRef, useState } from 'react'
import { isInside, type NodeId, parentOf, type TreeRow } from './model-tree-rules.ts'

type Question = {
  rows: readonly TreeRow[]
  active: NodeId
  chosen: ReadonlySet<NodeId>
  perPage: number
  onChoose: (chosen: NodeId[], active: NodeId) => void
  onToggle: (id: NodeId, open: boolean) => void
  /** Keys that the tree itself does not know; true: it is done. */
  onKey?: ((event: KeyboardEvent<HTMLElement>, row: TreeRow) => boolean) | undefined
}

/** Keys of a model's tree: those of the WAI-ARIA tree pattern, pages, and Shift and Ctrl for choosing several lines. */
export function useModelTreeKeys(question: Question) {
  const anchor = useRef<NodeId>(question.active)
  const [findTyped] = useState(createTypeAhead)
  const { rows, active, chosen, onChoose, onToggle } = question
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === active),
  )
  const row = rows[at]

  const goTo = (index: number, range: boolean) => {
    const to = rows[Math.max(0, Math.min(rows.length - 1, index))]
    if (!to) return
    if (!range) anchor.current = to.id
    onChoose(range ? between(rows, anchor.current, to.id) : [to.id], to.id)
  }
  /** A click or Space: alone, with Ctrl beside the others, with Shift all in between. */
  const choose = (id: NodeId, { range, beside }: { range: boolean; beside: boolean }) => {
    if (range) return onChoose(between(rows, anchor.current, id), id)
    anchor.current = id
    if (!beside) return onChoose([id], id)
    const without = [...chosen].filter((one) => one !== id)
    onChoose(chosen.has(id) && without.length > 0 ? without : [...without, id], id)
  }
  const follow = (move: TreeMove, { aside, shiftKey }: { aside: boolean; shiftKey: boolean }) => {
    if ('to' in move) {
      // A leaf has nothing to the right: what is chosen stays.
      if (!aside || move.to !== at) goTo(move.to, shiftKey && !aside)
    }
    // The root of a model stays open.
    else if (row && (move.toggle || row.id !== '')) onToggle(row.id, move.toggle)
  }
  const goToTyped = (letter: string, now: number) => {
    const found = findTyped(rows, at, letter, now)
    if (found !== undefined) goTo(found, false)
  }
  const chooseAll = () => {
    const ids = rows.filter(({ id }) => id !== '').map(({ id }) => id)
    onChoose(ids, active)
  }
  const openBeside = (of: TreeRow) => {
    const closed = rows.filter((one) => one.open === false && isBeside(one, of))
    for (const { id } of closed) onToggle(id, true)
  }
  /** Action of a key; undefined for a key without one. */
  const meaning = (event: KeyboardEvent<HTMLElement>, of: TreeRow) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event
    if (altKey) return undefined
    if (ctrlKey || metaKey) return key === 'a' ? chooseAll : undefined
    const to = pageMove(key, at, question)
    if (to !== undefined) return () => goTo(to, shiftKey)
    const move = treeMove(rows, at, key)
    if (move !== undefined) return () => follow(move, { aside: sideways.has(key), shiftKey })
    if (key === ' ') return () => choose(of.id, { range: shiftKey, beside: true })
    if (key === '*') return () => openBeside(of)
    return key.length === 1 ? () => goToTyped(key, event.timeStamp) : undefined
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || !row) return
    if (question.onKey?.(event, row)) return event.preventDefault()
    const run = meaning(event, row)
    if (!run) return
    event.preventDefault()
    run()
  }
  return { onKeyDown, choose }
}

/** Keys whose move chooses one line, with Shift too. */
const sideways = new Set(['ArrowLeft', 'ArrowRight'])

function pageMove(key: string, at: number, { perPage }: Question) {
  const steps: Record<string, number> = { PageDown: at + perPage, PageUp: at - perPage }
  return steps[key]
}

const isBeside = (one: TreeRow, row: TreeRow) =>
  one.level === row.level && (parentOf(row.id) === '' || isInside(one.id, parentOf(row.id)))

function between(rows: readonly TreeRow[], from: NodeId, to: NodeId) {
  const places = [from, to].map((id) => rows.findIndex((row) => row.id === id))
  const [first, last] = places.toSorted((a, b) => a - b)
  return rows.slice(Math.max(0, first ?? 0), (last ?? 0) + 1).map(({ id }) => id)
}
