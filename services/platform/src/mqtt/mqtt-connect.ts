import mqttPacket, { type IConnackPacket, type IConnectPacket } from 'mqtt-packet'
import type { Will } from './mqtt-clients.ts'
import type { MqttLimits } from './mqtt-limits.ts'
import { reason, type Reason, returnCodeOf } from './mqtt-reasons.ts'
import { carriedProperties } from './mqtt-publish.ts'
import { isBelow, isTopic } from './mqtt-subscriptions.ts'

type WillProperties = NonNullable<NonNullable<IConnectPacket['will']>['properties']>

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

/** Request of a CONNECT packet within the limits, or the reason of its refusal. */
export function readConnect(
  packet: IConnectPacket,
  base: string,
  limits: MqttLimits,
): Connect | Reason {
  const fault = faultOf(packet, base)
  if (fault !== undefined) return fault
  const version = packet.protocolVersion ?? 4
  const { properties = {}, clientId, clean = true, will } = packet
  const asked = version === 5 ? (properties.sessionExpiryInterval ?? 0) : clean ? 0 : Infinity
  return {
    version,
    clientId,
    clean,
    expiryS: Math.min(asked, limits.sessionExpiryS),
    keepAliveS: packet.keepalive ?? 0,
    receiveMaximum: properties.receiveMaximum ?? 0xffff,
    maximumPacketSize: properties.maximumPacketSize ?? Infinity,
    ...(will && { will: willOf(will) }),
  }
}

/** Why a CONNECT must be refused; undefined when it is good. */
function faultOf(packet: IConnectPacket, base: string): Reason | undefined {
  const { properties = {}, will } = packet
  if (properties.authenticationMethod !== undefined) return reason.badAuthenticationMethod
  if (properties.receiveMaximum === 0 || properties.maximumPacketSize === 0) {
    return reason.protocolError
  }
  if (!isNamed(packet)) return reason.clientIdNotValid
  if (!will) return undefined
  if (!isTopic(will.topic)) return reason.topicInvalid
  return isBelow(base, will.topic) ? undefined : reason.notAuthorized
}

/** 3.1.1 section 3.1.3.1: who wants its session kept must have a name. */
const isNamed = ({ clientId, clean = true, protocolVersion = 4 }: IConnectPacket) =>
  clientId === '' ? clean || protocolVersion === 5 : clientId.length <= 500

function willOf({
  topic,
  payload,
  qos = 0,
  properties = {},
}: NonNullable<IConnectPacket['will']>): Will {
  const { willDelayInterval = 0, messageExpiryInterval, ...others } = properties
  const carried = willProperties(topic, others)
  return {
    message: {
      topic,
      payload: Buffer.from(payload as Buffer), // the parser makes no strings here
      qos,
      ...(carried && { properties: carried }),
    },
    delayS: willDelayInterval,
    ...(messageExpiryInterval !== undefined && { expiryS: messageExpiryInterval }),
  }
}

/** A will's properties as a message has them on the wire. */
function willProperties(topic: string, properties: WillProperties) {
  if (Object.keys(properties).length === 0) return undefined
  const packet = {
    cmd: 'publish',
    topic,
    payload: '',
    qos: 0,
    dup: false,
    retain: false,
    properties,
  } as const
  const frame = mqttPacket.generate(packet, { protocolVersion: 5 })
  return carriedProperties(frame, frame.indexOf(Buffer.from(topic)) - 2)
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
