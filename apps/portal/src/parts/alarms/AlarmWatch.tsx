import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLiveAlarmChanges, useLiveAlarmsVersion, useLiveState } from '../live/live.ts'
import { setTitleCount } from '../look/page-title.ts'
import { useReach } from '../session/reach.ts'
import { playSound, readySound, useSoundChoice } from './alarm-sound.ts'
import { alarmWatchQuery, countFresh, worstOf } from './alarm-watch.ts'
import { type Burst, type SoundChoice, soundOf } from './sound-choice.ts'

/** Interval of asking while the live socket tells changes, and while it does not. */
const everyMs = { live: 60_000, otherwise: 10_000 }
/** Shortest time between two questions, so that a flood costs little. */
const restMs = 1_000

/** Follows the alarms that nobody has acknowledged: their number in the tab's title, and a sound for new ones. */
export function AlarmWatch() {
  const [choice] = useSoundChoice()
  const isLive = useLiveState().name === 'live'
  const version = useLiveAlarmsVersion()
  const reach = useReach()
  const { data, refetch } = useQuery({
    ...alarmWatchQuery(reach),
    refetchInterval: isLive ? everyMs.live : everyMs.otherwise,
    // A sound is for those who look elsewhere.
    refetchIntervalInBackground: choice.on,
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
  useSound(choice, reach, data?.at)
  return null
}

/** Changes after which an alarm that is older may be new to the person. */
const comesBack = new Set(['again', 'unshelved', 'shown', 'restored'])
/** Time in ms within which the server may have heard of an alarm that was not there yet when it was asked. */
const lateMs = 10_000

/**
 * Plays a sound for alarms that are new since the last answer, whichever place they have in the list; those
 * of the first answer are not new. An alarm that is counted twice is of the same burst, which sounds once.
 */
function useSound(choice: SoundChoice, organization: string, at: number | undefined) {
  const first = useRef<number>(undefined)
  const last = useRef<number>(undefined)
  const burst = useRef<Burst>(undefined)
  const back = useRef(new Set<string>())
  useLiveAlarmChanges((changes) => {
    if (!choice.on) return
    for (const { alarm, kind, open } of changes)
      if (open && comesBack.has(kind)) back.current.add(alarm)
  })
  const ask = useEffectEvent(async (now: number) => {
    first.current ??= now
    last.current ??= now
    const after = Math.max(first.current, last.current - lateMs)
    const named = [...back.current]
    const counts =
      choice.on && now > first.current ? await countFresh(organization, { after, named }) : []
    last.current = now
    for (const id of named) back.current.delete(id)
    const fresh = counts.flatMap((count, severity) => (count > 0 ? [{ severity }] : []))
    const next = soundOf(choice, fresh, burst.current, Date.now())
    burst.current = next.burst
    if (next.play) playSound(next.play)
  })
  useEffect(() => {
    // What was not answered is asked again after the next answer.
    if (at !== undefined) void ask(at).catch(() => undefined)
  }, [at])
  useReadySound(choice.on)
}

/** Makes the sound possible at the first press or key, as browsers ask for it. */
function useReadySound(on: boolean) {
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
