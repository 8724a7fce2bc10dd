import type { Attempt, End } from './wire.ts'

/** State of a device; times are in ms since 1970. */
export type Known = {
  state: 'away' | 'opening' | 'connected'
  server: number
  attempt: number
  /** The last attempt whose value was acknowledged. */
  served: number
  /** Time since which it is connected, or away: also while it is opening. */
  since: number
  staysAway: boolean
}
/** Time without a connection. */
export type Absence = { device: number; from: number; to: number }
export type WhyEnded = End | 'killed'

/** States of all devices, from what the servers' processes tell of their connections. */
export function createDeviceStates(devices: number) {
  const known = Array.from({ length: devices }, (): Known => {
    return { state: 'away', server: -1, attempt: 0, served: 0, since: 0, staysAway: false }
  })
  const counts = { connected: 0, served: 0 }
  const absences: Absence[] = []
  const ends = new Map<WhyEnded, number>()
  return {
    known,
    counts,
    absences,
    /** Number of connections that ended, and attempts that failed, by the reason. */
    ends,
    opening(device: number, server: number): Attempt {
      const one = known[device]
      if (!one) throw new Error(`no device ${device}`)
      Object.assign(one, { state: 'opening', server, attempt: one.attempt + 1 })
      return [device, one.attempt]
    },
    connected(device: number, at: number) {
      const one = known[device]
      if (one?.state !== 'opening') return
      absences.push({ device, from: one.since, to: at })
      Object.assign(one, { state: 'connected', since: at })
      counts.connected += 1
    },
    served([device, attempt]: Attempt) {
      const one = known[device]
      if (one) one.served = Math.max(one.served, attempt)
      if (one?.state === 'connected' && one.attempt === attempt) counts.served += 1
    },
    /** True when it had a connection or was opening one. */
    ended(device: number, at: number, why: WhyEnded) {
      const one = known[device]
      if (!one || one.state === 'away') return false
      ends.set(why, (ends.get(why) ?? 0) + 1)
      if (one.state === 'connected') {
        counts.connected -= 1
        if (one.served === one.attempt) counts.served -= 1
        one.since = at
      }
      one.state = 'away'
      return true
    },
  }
}
