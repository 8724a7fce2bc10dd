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
  const action = actions[event.key] ?? (event.key.length === 1 ? goTo : undefined)
  if (!action) return
  event.preventDefault()
  action({ item, at, items, key: event.key })
}

type Pressed = { item: HTMLElement; at: number; items: readonly HTMLElement[]; key: string }

const actions: Record<string, (pressed: Pressed) => void> = {
  ArrowDown: ({ at, items }) => items[Math.min(at + 1, items.length - 1)]?.focus(),
  ArrowUp: ({ at, items }) => items[Math.max(at - 1, 0)]?.focus(),
  Home: ({ items }) => items[0]?.focus(),
  End: ({ items }) => items.at(-1)?.focus(),
  Enter: ({ item }) => item.click(),
  ' ': ({ item }) => item.click(),
  f: ({ item }) => item.querySelector<HTMLElement>('[data-favourite]')?.click(),
  ArrowRight: ({ item, at, items }) => {
    const next = items[at + 1]
    if (item.getAttribute('aria-expanded') === 'false') item.click()
    else if (next && levelOf(next) > levelOf(item)) next.focus()
  },
  ArrowLeft: ({ item, at, items }) => {
    if (item.getAttribute('aria-expanded') === 'true') item.click()
    else
      items
        .slice(0, at)
        .findLast((other) => levelOf(other) < levelOf(item))
        ?.focus()
  },
}

const levelOf = (item: HTMLElement) => Number(item.getAttribute('aria-level'))

/** To the next item that begins with the letter. */
const goTo = ({ at, items, key }: Pressed) =>
  [...items.slice(at + 1), ...items.slice(0, at)]
    .find((item) => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()))
    ?.focus()
