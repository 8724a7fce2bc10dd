import { useEffect, useRef } from 'react'
import { api, stale } from '../api/api.ts'
import { useLiveAlarmsVersion } from '../live/live.ts'
import { useMay } from '../session/session.ts'
import { alarmsApi } from './alarm-calls.ts'

/** Time in ms after a change of an alarm in which the attributes of its device follow. */
const settledMs = 800
/** Shortest time between two fetches, so that a flood of changes does not load a list without a pause. */
const restMs = 5_000

/** Fetches devices anew after a change of an alarm, so that their marks follow. It shows nothing. */
export function FollowDeviceAlarms() {
  return useMay()('alarms:read') ? <Following /> : null
}

function Following() {
  const version = useLiveAlarmsVersion()
  const first = useRef(version)
  const fetchedAt = useRef(-restMs)
  useEffect(() => {
    if (version === first.current) return undefined
    const wait = Math.max(settledMs, fetchedAt.current + restMs - performance.now())
    const timer = setTimeout(() => {
      fetchedAt.current = performance.now()
      for (const call of [
        api.mappings.device,
        api.mappings.devices,
        api.mappings.deviceAggregations,
        api.mappings.searchDevices,
        alarmsApi.severityCountByDevice,
      ])
        void stale(call)
    }, wait)
    return () => clearTimeout(timer)
  }, [version])
  return null
}
