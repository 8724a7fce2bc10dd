import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'

type Question<Row> = {
  rows: readonly Row[]
  /** Number of all rows, also those that are not loaded yet. */
  count: number
  rowId: (row: Row) => string
  selected: string | undefined
  onOpen: ((row: Row) => void) | undefined
  checked: ReadonlySet<string> | undefined
  onChecked: ((ids: ReadonlySet<string>) => void) | undefined
  scrollTo: (index: number) => void
  focus: (index: number) => void
  /** Rows that Page Down moves by. */
  perPage: number
}

/** One row of the grid holds the focus; arrows move it, Space selects, Shift+Space selects a range, Enter opens. */
export function useGridKeys<Row>(question: Question<Row>) {
  const [active, setActive] = useState(0)
  const [moved, setMoved] = useState(0)
  const anchor = useRef(0)
  /** Row that was gone to before it was loaded. */
  const awaited = useRef<number>(undefined)
  const latest = useRef(question)
  useEffect(() => {
    latest.current = question
  })
  useEffect(() => {
    // The row may have come into the page only now.
    if (moved > 0) latest.current.focus(active)
  }, [moved, active])
  const loaded = question.rows.length
  useEffect(() => {
    if (awaited.current === undefined || awaited.current >= loaded) return
    latest.current.focus(awaited.current)
    awaited.current = undefined
  }, [loaded])

  const toggle = useCallback((index: number, range: boolean) => {
    const { rows, rowId, checked, onChecked } = latest.current
    if (checked === undefined || onChecked === undefined) return
    const next = new Set(checked)
    const [from, to] = range ? [anchor.current, index].toSorted((a, b) => a - b) : [index, index]
    const ids = rows.slice(from, (to ?? index) + 1).map(rowId)
    const add = range || !ids.every((id) => next.has(id))
    for (const id of ids) {
      if (add) next.add(id)
      else next.delete(id)
    }
    anchor.current = index
    onChecked(next)
  }, [])

  const move = (to: number) => {
    const index = Math.max(0, Math.min(question.count - 1, to))
    question.scrollTo(index)
    awaited.current = index < question.rows.length ? undefined : index
    setActive(index)
    setMoved((count) => count + 1)
    const row = question.rows[index]
    // With the details open, they follow the focus.
    if (question.selected !== undefined && row !== undefined) question.onOpen?.(row)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement
    if (!target.hasAttribute('data-row')) return
    const to = destination(event.key, active, question)
    if (to !== undefined) move(to)
    else if (event.key === ' ') toggle(active, event.shiftKey)
    else if (event.key === 'Enter' && question.rows[active] !== undefined) {
      question.onOpen?.(question.rows[active])
    } else return
    event.preventDefault()
  }
  const onFocus = useCallback((index: number) => {
    // Who went to another row meanwhile stays there.
    awaited.current = undefined
    setActive(index)
  }, [])
  return { active, onFocus, onKeyDown, toggle }
}

function destination(
  key: string,
  active: number,
  { count, perPage }: { count: number; perPage: number },
) {
  switch (key) {
    case 'ArrowDown':
      return active + 1
    case 'ArrowUp':
      return active - 1
    case 'PageDown':
      return active + perPage
    case 'PageUp':
      return active - perPage
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}
