import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import classes from './PaneDivider.module.css'

type Props = {
  label: string
  /** The pane whose width it changes: the one on its left, or the one on its right. */
  pane: 'before' | 'after'
  /** Told of the width in px, and of nothing when the pane has its usual width again. */
  onWidth: (width: number | undefined) => void
}

const [least, most, step] = [200, 900, 24]
const bounded = (width: number) => Math.round(Math.min(most, Math.max(least, width)))
const paneBeside = (line: Element | null, pane: Props['pane']) =>
  pane === 'before' ? line?.previousElementSibling : line?.nextElementSibling
/** Width of a pane in whole px. */
const widthOf = (pane: Element | null | undefined) =>
  pane ? Math.round(pane.getBoundingClientRect().width) : undefined

/** Line between two panes, that makes one of them wider or narrower: dragged, or with the arrow keys. A double click gives the usual width back. */
export function PaneDivider({ label, pane, onWidth }: Props) {
  const line = useRef<HTMLHRElement>(null)
  const drag = useRef<{ x: number; width: number }>(undefined)
  const [width, setWidth] = useState(least)
  const direction = pane === 'before' ? 1 : -1
  // Read when it is needed: the observer tells of a change only after the next frame.
  const widthNow = () => widthOf(paneBeside(line.current, pane)) ?? width
  useEffect(() => {
    const beside = paneBeside(line.current, pane)
    if (!beside) return
    const observer = new ResizeObserver(() => setWidth(widthOf(beside) ?? least))
    observer.observe(beside)
    return () => observer.disconnect()
  }, [pane])
  const begin = (event: PointerEvent) => {
    line.current?.setPointerCapture(event.pointerId)
    drag.current = { x: event.clientX, width: widthNow() }
  }
  const move = ({ clientX }: PointerEvent) => {
    if (!drag.current) return
    onWidth(bounded(drag.current.width + direction * (clientX - drag.current.x)))
  }
  const press = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: -step, ArrowRight: step }
    const by = steps[event.key]
    if (by === undefined) return
    event.preventDefault()
    onWidth(bounded(widthNow() + direction * by))
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a line that takes the focus is a control (WAI-ARIA, separator)
    <hr
      ref={line}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={least}
      aria-valuemax={most}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
      tabIndex={0}
      className={classes.divider}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={() => (drag.current = undefined)}
      onPointerCancel={() => (drag.current = undefined)}
      onDoubleClick={() => onWidth(undefined)}
      onKeyDown={press}
    />
  )
}
