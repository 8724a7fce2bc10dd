import type { KeyboardEvent } from 'react'

/**
 * The keys of a tree: up and down, right opens or goes in, left closes or goes out, Home, End,
 * Enter and Space choose, F marks as a favourite, a letter goes to the next item that begins with it.
 */
export function onTreeKeys(event: KeyboardEvent<HTMLElement>) {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="treeitem"]')]
  const at = items.findIndex((item) => item === event.target)
  const item = items[at]
  if (item === undefined) return
  const move = moves[event.key]
  const press = presses[event.key]
  if (move !== undefined) items[move(at, items.length)]?.focus()
  else if (event.key === 'ArrowRight') goIn(item, items[at + 1])
  else if (event.key === 'ArrowLeft') goOut(item, items.slice(0, at))
  else if (press !== undefined) item.querySelector<HTMLElement>(press)?.click()
  else if (event.key.length === 1) goTo(event.key, [...items.slice(at + 1), ...items.slice(0, at)])
  else return
  event.preventDefault()
}

const moves: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => Math.min(at + 1, count - 1),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** What a key presses in the row of the item. */
const presses: Record<string, string> = {
  Enter: ':scope > [data-row]',
  ' ': ':scope > [data-row]',
  f: ':scope > [data-row] [data-favourite]',
}

const levelOf = (item: HTMLElement) => Number(item.getAttribute('aria-level'))
const toggle = (item: HTMLElement) =>
  item.querySelector<HTMLElement>(':scope > [data-row]')?.click()

function goIn(item: HTMLElement, next: HTMLElement | undefined) {
  if (item.getAttribute('aria-expanded') === 'false') toggle(item)
  else if (next && levelOf(next) > levelOf(item)) next.focus()
}

function goOut(item: HTMLElement, before: HTMLElement[]) {
  if (item.getAttribute('aria-expanded') === 'true') toggle(item)
  else before.findLast((other) => levelOf(other) < levelOf(item))?.focus()
}

const goTo = (letter: string, items: readonly HTMLElement[]) =>
  items
    .find((item) => item.getAttribute('aria-label')?.toLowerCase().startsWith(letter.toLowerCase()))
    ?.focus()
