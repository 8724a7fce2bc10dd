import { type KeyboardEvent, useState } from 'react'
import { createTypeAhead, treeMove } from './tree-moves.ts'

/**
 * Keys of a tree whose items take the focus (WAI-ARIA tree pattern). Enter and Space click the item;
 * it opens and closes by the `data-toggle` in it, or without one by a click. `onKey` has the keys of
 * one tree alone and says with true that it used one.
 */
export function useTreeKeys(onKey?: (key: string, item: HTMLElement) => boolean) {
  const [findTyped] = useState(createTypeAhead)
  const goToTyped = (
    items: readonly HTMLElement[],
    at: number,
    { key, timeStamp }: KeyboardEvent,
  ) => items[findTyped(items.map(toLine), at, key, timeStamp) ?? at]?.focus()
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="treeitem"]')]
    const at = items.findIndex((item) => item === event.target)
    const item = items[at]
    if (item === undefined) return
    if (handleMove(items, at, event.key) || onKey?.(event.key, item)) return event.preventDefault()
    if (event.key.length !== 1) return
    event.preventDefault()
    goToTyped(items, at, event)
  }
}

/** Moves, opens, closes or clicks; true when the key has one of these meanings in every tree. */
function handleMove(items: readonly HTMLElement[], at: number, key: string) {
  const move = treeMove(items.map(toLine), at, key)
  if (key === 'Enter' || key === ' ') items[at]?.click()
  else if (move === undefined) return false
  else if ('to' in move) items[move.to]?.focus()
  else toggle(items[at])
  return true
}

const toggle = (item: HTMLElement | undefined) =>
  (item?.querySelector<HTMLElement>('[data-toggle]') ?? item)?.click()

/** The name is read only when a letter is typed. */
const toLine = (item: HTMLElement) => ({
  level: Number(item.getAttribute('aria-level')),
  open: openOf(item.getAttribute('aria-expanded')),
  get name() {
    return item.textContent?.trim() ?? ''
  },
})

const openOf = (expanded: string | null) => (expanded === null ? undefined : expanded === 'true')
