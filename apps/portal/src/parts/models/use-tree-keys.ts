import { type KeyboardEvent, useRef } from 'react'
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

const typingMs = 600

/** The keys of the ARIA tree pattern: arrows, Home, End, pages, letters, Shift and Ctrl for choosing several. */
export function useTreeKeys(question: Question) {
  const anchor = useRef<NodeId>(question.active)
  const typed = useRef({ text: '', at: 0 })
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
  const sideways = (key: string) => {
    if (!row) return
    if (key === 'ArrowRight') {
      if (row.open === false) onToggle(row.id, true)
      else if (row.open) goTo(at + 1, false)
    } else if (row.open && row.id !== '') onToggle(row.id, false)
    else
      goTo(
        rows.findIndex(({ id }) => id === parentOf(row.id)),
        false,
      )
  }
  const findTyped = (letter: string, now: number) => {
    const goesOn = now - typed.current.at < typingMs
    const text = (goesOn ? typed.current.text : '') + letter.toLocaleLowerCase()
    typed.current = { text, at: now }
    const order = [...rows.slice(text.length > 1 ? at : at + 1), ...rows.slice(0, at + 1)]
    const found = order.find(({ name }) => name.toLocaleLowerCase().startsWith(text))
    if (found) goTo(rows.indexOf(found), false)
  }
  const chooseAll = () => {
    const ids = rows.filter(({ id }) => id !== '').map(({ id }) => id)
    onChoose(ids, active)
  }
  const openBeside = (of: TreeRow) => {
    const closed = rows.filter((one) => one.open === false && isBeside(one, of))
    for (const { id } of closed) onToggle(id, true)
  }
  /** What a key means; undefined for one that means nothing here. */
  const meaning = (event: KeyboardEvent<HTMLElement>, of: TreeRow) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event
    if (altKey) return undefined
    if (ctrlKey || metaKey) return key === 'a' ? chooseAll : undefined
    const to = destination(key, at, question)
    if (to !== undefined) return () => goTo(to, shiftKey)
    if (key === 'ArrowRight' || key === 'ArrowLeft') return () => sideways(key)
    if (key === ' ') return () => choose(of.id, { range: shiftKey, beside: true })
    if (key === '*') return () => openBeside(of)
    return key.length === 1 ? () => findTyped(key, event.timeStamp) : undefined
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

function destination(key: string, at: number, { rows, perPage }: Question) {
  const steps: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: rows.length - 1,
    PageDown: at + perPage,
    PageUp: at - perPage,
  }
  return steps[key]
}

const isBeside = (one: TreeRow, row: TreeRow) =>
  one.level === row.level && (parentOf(row.id) === '' || isInside(one.id, parentOf(row.id)))

function between(rows: readonly TreeRow[], from: NodeId, to: NodeId) {
  const places = [from, to].map((id) => rows.findIndex((row) => row.id === id))
  const [first, last] = places.toSorted((a, b) => a - b)
  return rows.slice(Math.max(0, first ?? 0), (last ?? 0) + 1).map(({ id }) => id)
}
