import type { MqttLimits } from './mqtt-limits.ts'

type Unfinished = { needed: number; begun: number }
type Limits = Pick<MqttLimits, 'unfinishedMs' | 'unfinishedPerSecond'>

/** The time that the rest of a packet has; it does not run while the socket is not read. */
export function createPacketDeadline({ unfinishedMs, unfinishedPerSecond }: Limits) {
  let begun = -1
  let since = 0
  return (packet: Unfinished | undefined, now: number, isPaused: boolean) => {
    if (!packet) return false
    if (packet.begun !== begun || isPaused) {
      begun = packet.begun
      since = now
    }
    return now - since > unfinishedMs + (packet.needed / unfinishedPerSecond) * 1_000
  }
}
