import { useVirtualizer } from '@tanstack/react-virtual'
import { type DragEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import shared from './presets.module.css'
import classes from './PickList.module.css'

type Props<T> = {
  label: string
  items: readonly T[]
  idOf: (item: T) => string
  active: string | undefined
  selected: ReadonlySet<string>
  onPick: (id: string, selected: ReadonlySet<string>) => void
  /** Enter or a double click on an item. */
  onEnter: (item: T) => void
  /** Other keys; true: handled. */
  onKey?: (key: string, item: T) => boolean
  drag?: (item: T, event: DragEvent) => void
  drop?: (item: T, event: DragEvent) => void
  height?: number
  children: (item: T) => ReactNode
}

/** Thousands of lines of which one is active and any number selected, wholly by keyboard. */
export function PickList<T>(props: Props<T>) {
  const { label, items, idOf, active, selected, onPick, onEnter, height = 34 } = props
  const box = useRef<HTMLDivElement>(null)
  const prefix = useId()
  const place = items.findIndex((item) => idOf(item) === active)
  const lines = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 12,
    initialRect: { width: 300, height: 480 },
  })
  useEffect(() => {
    if (place >= 0) lines.scrollToIndex(place)
  }, [place, lines])
  const pick = (index: number, { range = false, toggle = false } = {}) => {
    const item = items[index]
    if (item === undefined) return
    onPick(idOf(item), picked(props, index, { range, toggle, from: place }))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = placeAfter(event.key, place, items.length)
    if (to !== undefined) {
      pick(to, { range: event.shiftKey })
      event.preventDefault()
    } else if (onItem(event)) event.preventDefault()
  }
  /** Keys for the active item; true: handled. */
  const onItem = ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
    const item = items[place]
    if (item === undefined) return false
    if (key === ' ') pick(place, { toggle: true })
    else if (key === 'Enter') onEnter(item)
    else if (key === 'a' && (ctrlKey || metaKey)) onPick(idOf(item), new Set(items.map(idOf)))
    else return props.onKey?.(key, item) === true
    return true
  }
  return (
    <div
      ref={box}
      role="listbox"
      aria-label={label}
      aria-multiselectable
      aria-activedescendant={place >= 0 ? `${prefix}${place}` : undefined}
      tabIndex={0}
      className={shared.list}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: lines.getTotalSize(), position: 'relative' }}>
        {lines.getVirtualItems().map(({ index, start }) => {
          const item = items[index]
          if (item === undefined) return null
          const id = idOf(item)
          return (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the list takes the keys for its options
            <div
              key={id}
              id={`${prefix}${index}`}
              role="option"
              aria-selected={selected.has(id)}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              data-active={id === active || undefined}
              className={classes.line}
              style={{ transform: `translateY(${start}px)`, height }}
              onClick={(event) =>
                pick(index, { range: event.shiftKey, toggle: event.ctrlKey || event.metaKey })
              }
              onDoubleClick={() => onEnter(item)}
              {...dragging(props, item)}
            >
              {props.children(item)}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function placeAfter(key: string, place: number, count: number) {
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[key]
  return step && Math.min(count - 1, Math.max(0, place + step))
}

function dragging<T>({ drag, drop }: Props<T>, item: T) {
  return {
    ...(drag && {
      draggable: true,
      onDragStart: (event: DragEvent) => drag(item, event),
    }),
    ...(drop && {
      onDragOver: (event: DragEvent) => event.preventDefault(),
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        drop(item, event)
      },
    }),
  }
}

type How = { range: boolean; toggle: boolean; from: number }

function picked<T>({ items, idOf, selected }: Props<T>, index: number, how: How) {
  const ids = items.map(idOf)
  const id = ids[index] ?? ''
  if (how.range && how.from >= 0) {
    const [low, high] = [Math.min(how.from, index), Math.max(how.from, index)]
    return new Set([...selected, ...ids.slice(low, high + 1)])
  }
  if (!how.toggle) return new Set([id])
  const next = new Set(selected)
  if (!next.delete(id)) next.add(id)
  return next
}
