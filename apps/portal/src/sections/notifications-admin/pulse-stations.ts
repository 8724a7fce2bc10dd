import { isPulseStill, type PulsePassed, pulseStations } from '@longreach/alarms/pulse-contract'
import type { Pulse } from '../../parts/notifications/pulse-calls.ts'

type Name = (typeof pulseStations)[number]
type Beat = PulsePassed | null

/**
 * Station of the pulse as it is shown: it goes on, it stands still, it waits for one before it, no beat has come there
 * yet, or its service does not answer.
 */
export type ShownStation = {
  name: Name
  state: 'works' | 'still' | 'waits' | 'new' | 'unknown'
  passed: Beat
}

/** Beats at the stations of platform; undefined while it does not answer. */
type OfValues = { value: Beat; rule: Beat } | undefined

/** Stations in their order. The first one that is not fresh stands still, those behind it wait. */
export function shownStations(pulse: Pulse, ofValues: OfValues): ShownStation[] {
  const { stations, watcher, now, state } = pulse
  if (!stations) return []
  const passedAt: Record<Name, Beat | undefined> = {
    value: ofValues?.value,
    rule: ofValues?.rule,
    alarm: stations.isAlarmKnown ? stations.alarm : undefined,
    message: stations.message,
    watcher: stations.watcher,
  }
  let isStuck = false
  return pulseStations
    .filter((name) => name !== 'watcher' || watcher)
    .map((name) => {
      const passed = passedAt[name]
      if (passed === undefined) return { name, state: 'unknown', passed: null }
      if (passed && !isPulseStill(passed, now)) return { name, state: 'works', passed }
      const isNew =
        passed === null && (state === 'new' || (name === 'watcher' && state === 'works'))
      if (isNew) return { name, state: 'new', passed }
      const first = !isStuck
      isStuck = true
      return { name, state: first ? 'still' : 'waits', passed }
    })
}
