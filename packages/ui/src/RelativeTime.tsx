import { useSyncExternalStore } from 'react'
import { useIntl } from 'react-intl'
import { formatAge, formatTime } from './format.ts'

const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

/** One clock for all of them, which stands still while nobody looks. */
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const one of listeners) one()
  }, 1_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** While nobody looks the clock stands still: the first to look sets it. */
function readClock() {
  if (timer === undefined && Date.now() - now >= 1_000) now = Date.now()
  return now
}

/** The time now, in ms, moving once a second. */
export const useNow = () => useSyncExternalStore(subscribe, readClock)

/** Time since an instant, with the exact time on hover; a dash when there is no time. */
export function RelativeTime({ at }: { at: Date | number | string | undefined | null }) {
  const { locale, timeZone } = useIntl()
  const current = useNow()
  if (at === undefined || at === null) return <>—</>
  const time = new Date(at)
  // A clock a little ahead of ours is now, not the future.
  const seen = new Date(Math.max(current, time.getTime()))
  return (
    <time dateTime={time.toISOString()} title={formatTime(time, locale, timeZone)}>
      {formatAge(time, seen, locale, timeZone)}
    </time>
  )
}
