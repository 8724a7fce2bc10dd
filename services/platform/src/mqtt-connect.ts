import mqttPacket, { type IConnackPacket, type IConnectPacket } from 'mqtt-packet'
import type { Will } from './mqtt-clients.ts'
import type { MqttLimits } from './mqtt-limits.ts'
import { reason, type Reason, returnCodeOf } from './mqtt-reasons.ts'
import { isBelow, isTopic } from './mqtt-subscriptions.ts'

/** A good CONNECT, in the same words for every version of MQTT. */
export type Connect = {
  version: 3 | 4 | 5
  clientId: string
  clean: boolean
  /** Seconds that the session outlives the connection. */
  expiryS: number
  keepAliveS: number
  receiveMaximum: number
  /** Largest packet that the client takes. */
  maximumPacketSize: number
  will?: Will
}

/** What a CONNECT asks for, within the limits; a reason when it must be refused. */
export function readConnect(
  packet: IConnectPacket,
  base: string,
  limits: MqttLimits,
): Connect | Reason {
  const version = packet.protocolVersion ?? 4
  const { properties = {}, clientId, clean = true, will } = packet
  if (properties.authenticationMethod !== undefined) return reason.badAuthenticationMethod
  if (properties.receiveMaximum === 0 || properties.maximumPacketSize === 0) {
    return reason.protocolError
  }
  // 3.1.1 section 3.1.3.1: who wants its session kept must have a name.
  if (clientId === '' && version < 5 && !clean) return reason.clientIdNotValid
  if (clientId.length > 500) return reason.clientIdNotValid
  if (will && !isTopic(will.topic)) return reason.topicInvalid
  if (will && !isBelow(base, will.topic)) return reason.notAuthorized
  const asked = version === 5 ? (properties.sessionExpiryInterval ?? 0) : clean ? 0 : Infinity
  return {
    version,
    clientId,
    clean,
    expiryS: Math.min(asked, limits.sessionExpiryS),
    keepAliveS: packet.keepalive ?? 0,
    receiveMaximum: properties.receiveMaximum ?? 0xffff,
    maximumPacketSize: properties.maximumPacketSize ?? Infinity,
    ...(will && {
      will: {
        message: {
          topic: will.topic,
          payload: Buffer.from(will.payload as Buffer), // the parser makes no strings here
          qos: will.qos ?? 0,
        },
        delayS: will.properties?.willDelayInterval ?? 0,
      },
    }),
  }
}

type Answer = { clientId: string; present: boolean }

/** CONNACK for an accepted client; MQTT 5 clients learn the limits. */
export function accepted(
  wish: IConnectPacket,
  connect: Connect,
  { clientId, present }: Answer,
  limits: MqttLimits,
) {
  const asked = wish.properties?.sessionExpiryInterval ?? 0
  const packet: IConnackPacket =
    connect.version < 5
      ? { cmd: 'connack', sessionPresent: present, returnCode: 0 }
      : {
          cmd: 'connack',
          sessionPresent: present,
          reasonCode: reason.success,
          properties: {
            receiveMaximum: limits.underWay,
            maximumPacketSize: limits.packet,
            topicAliasMaximum: limits.topicAliases,
            retainAvailable: false,
            sharedSubscriptionAvailable: false,
            ...(asked !== connect.expiryS && { sessionExpiryInterval: connect.expiryS }),
            ...(wish.clientId === '' && { assignedClientIdentifier: clientId }),
          },
        }
  return mqttPacket.generate(packet, { protocolVersion: connect.version })
}

/** CONNACK that refuses. */
export const refusal = (version: number, code: Reason) =>
  mqttPacket.generate(
    version < 5
      ? { cmd: 'connack', sessionPresent: false, returnCode: returnCodeOf(code) }
      : { cmd: 'connack', sessionPresent: false, reasonCode: code },
    { protocolVersion: version },
  )
