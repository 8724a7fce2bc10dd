import { useSyncExternalStore } from 'react'

const query = () => matchMedia('(max-width: 37.5em)')

/** True while the window is as narrow as a phone: 600 px or less. */
export const useNarrow = () =>
  useSyncExternalStore(
    (listener) => {
      const narrow = query()
      narrow.addEventListener('change', listener)
      return () => narrow.removeEventListener('change', listener)
    },
    () => query().matches,
  )
