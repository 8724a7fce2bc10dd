import {
  type DOMAttributes,
  type FocusEvent,
  type MouseEvent,
  useEffect,
  useId,
  useState,
} from 'react'

const openDelayMs = 300

/** Attributes of an element that a hint belongs to. */
export type Hinted = Pick<
  DOMAttributes<Element>,
  'onMouseEnter' | 'onMouseLeave' | 'onFocus' | 'onBlur'
> & { 'aria-describedby'?: string | undefined }

/**
 * State of a hint: `near` is the element while it has the pointer or the focus, `opened` says that the text is shown,
 * 300 ms after the pointer came or at once with the focus of the keyboard. Escape closes it. Without a text nothing is
 * shown, and the pointer is followed all the same: the text may come back after the pointer has left.
 */
export function useHint(of: Hinted, hasText: boolean) {
  const id = useId()
  const [near, setNear] = useState<Element>()
  const [opened, setOpened] = useState(false)
  const leave = () => {
    setNear(undefined)
    setOpened(false)
  }
  useEffect(() => {
    if (near === undefined || opened) return
    const timer = setTimeout(() => setOpened(true), openDelayMs)
    return () => clearTimeout(timer)
  }, [near, opened])
  useEffect(() => {
    if (!opened) return
    const close = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setNear(undefined)
      setOpened(false)
    }
    document.addEventListener('keydown', close)
    return () => document.removeEventListener('keydown', close)
  }, [opened])
  const hinted: Hinted = {
    ...(opened && hasText && { 'aria-describedby': id }),
    onMouseEnter: (event: MouseEvent) => {
      of.onMouseEnter?.(event)
      setNear(event.currentTarget)
    },
    onMouseLeave: (event: MouseEvent) => {
      of.onMouseLeave?.(event)
      leave()
    },
    onFocus: (event: FocusEvent) => {
      of.onFocus?.(event)
      if (!event.currentTarget.matches(':focus-visible')) return
      setNear(event.currentTarget)
      setOpened(true)
    },
    onBlur: (event: FocusEvent) => {
      of.onBlur?.(event)
      leave()
    },
  }
  return { id, near, opened, hinted }
}
