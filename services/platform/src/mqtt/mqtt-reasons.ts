import type { FrameFault } from './mqtt-frames.ts'

/** Reason codes of MQTT 5 (section 2.4) that this endpoint uses. */
export const reason = {
  success: 0x00,
  disconnectWithWill: 0x04,
  noSubscriptionExisted: 0x11,
  malformed: 0x81,
  protocolError: 0x82,
  implementation: 0x83,
  unsupportedVersion: 0x84,
  clientIdNotValid: 0x85,
  notAuthorized: 0x87,
  serverBusy: 0x89,
  shuttingDown: 0x8b,
  badAuthenticationMethod: 0x8c,
  keepAliveTimeout: 0x8d,
  takenOver: 0x8e,
  filterInvalid: 0x8f,
  topicInvalid: 0x90,
  receiveMaximumExceeded: 0x93,
  topicAliasInvalid: 0x94,
  packetTooLarge: 0x95,
  quotaExceeded: 0x97,
  useAnotherServer: 0x9c,
  sharedSubscriptionsNotSupported: 0x9e,
} as const
export type Reason = (typeof reason)[keyof typeof reason]

/** Reasons for which a stream that cannot be read is ended. */
export const faultReasons = {
  too_large: reason.packetTooLarge,
  malformed: reason.malformed,
  no_room: reason.quotaExceeded,
} as const satisfies Record<FrameFault, Reason>

/** The nearest CONNACK return code of MQTT 3.1.1 (section 3.2.2.3). */
export function returnCodeOf(code: Reason): number {
  if (code === reason.success) return 0
  if (code === reason.unsupportedVersion) return 1
  if (code === reason.clientIdNotValid) return 2
  if (code === reason.notAuthorized) return 5
  return 3
}
