import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/** After a change of page the reader starts at its heading, and the tab carries its name. */
export function useFocusOnNavigation() {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        const heading = document.querySelector<HTMLElement>('main h1')
        document.title = heading ? `${heading.textContent} · Longreach` : 'Longreach'
        if (pathChanged && fromLocation !== undefined) heading?.focus({ preventScroll: true })
      }),
    [router],
  )
}
