import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLiveAlarmsVersion, useLiveState } from '../live/live.ts'
import { setTitleCount } from '../look/page-title.ts'
import { useReach } from '../session/reach.ts'
import { playSound, readySound, useSoundChoice } from './alarm-sound.ts'
import { alarmWatchQuery, worstOf } from './alarm-watch.ts'
import { type Burst, soundOf } from './sound-choice.ts'

/** Interval of asking while the live socket tells changes, and while it does not. */
const everyMs = { live: 60_000, otherwise: 10_000 }
/** Shortest time between two questions, so that a flood costs little. */
const restMs = 1_000

/** Follows the alarms that nobody has acknowledged: their number in the tab's title, and a sound for new ones. */
export function AlarmWatch() {
  const isLive = useLiveState().name === 'live'
  const version = useLiveAlarmsVersion()
  const { data, refetch } = useQuery({
    ...alarmWatchQuery(useReach()),
    refetchInterval: isLive ? everyMs.live : everyMs.otherwise,
  })
  useEffect(() => {
    if (version === 0) return undefined
    const timer = setTimeout(() => void refetch(), restMs)
    return () => clearTimeout(timer)
  }, [version, refetch])
  const { count } = worstOf(data?.counts.bySeverity ?? [])
  useEffect(() => {
    setTitleCount(count)
    return () => setTitleCount(0)
  }, [count])
  useSound(data?.data)
  return null
}

type Watched = { id: string; severity: number; longreach: { since: number } }

/** Plays a sound for alarms that were not there before; those of the first answer are not new. */
function useSound(alarms: readonly Watched[] | undefined) {
  const [choice] = useSoundChoice()
  const known = useRef<ReadonlySet<string>>(undefined)
  const burst = useRef<Burst>(undefined)
  const hear = useEffectEvent((present: readonly Watched[]) => {
    const before = known.current
    known.current = new Set([...(before ?? []), ...present.map(({ id }) => id)])
    if (before === undefined) return
    const fresh = present.filter(({ id }) => !before.has(id))
    const next = soundOf(choice, fresh, burst.current, Date.now())
    burst.current = next.burst
    if (next.play) playSound(next.play)
  })
  useEffect(() => {
    if (alarms) hear(alarms)
  }, [alarms])
  const { on } = choice
  useEffect(() => {
    if (!on) return undefined
    const ready = () => void readySound()
    const options = { once: true, capture: true }
    window.addEventListener('pointerdown', ready, options)
    window.addEventListener('keydown', ready, options)
    return () => {
      window.removeEventListener('pointerdown', ready, options)
      window.removeEventListener('keydown', ready, options)
    }
  }, [on])
}
