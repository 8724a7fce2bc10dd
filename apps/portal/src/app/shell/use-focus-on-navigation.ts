import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'
import { setPageHeading } from '../../parts/look/page-title.ts'
import { keepHeading } from '../start/known-frame.ts'

/**
 * After a change of page the reader starts at its heading, and the tab carries its name. What is
 * returned is told of every heading, as those of things with a name come after the page itself.
 */
export function useFocusOnNavigation() {
  const router = useRouter()
  const waiting = useRef(false)
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        if (!pathChanged || fromLocation === undefined) return
        const heading = document.querySelector<HTMLElement>('main h1')
        waiting.current = heading === null
        heading?.focus({ preventScroll: true })
      }),
    [router],
  )
  return useCallback((heading: HTMLElement) => {
    setPageHeading(heading.textContent)
    keepHeading(heading.textContent)
    if (waiting.current) heading.focus({ preventScroll: true })
    waiting.current = false
  }, [])
}
