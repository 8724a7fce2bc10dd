import { encodeBson } from '@longreach/device-protocol/payload'
import { topicsOf } from '@longreach/device-protocol/topics'
import mqttPacket from 'mqtt-packet'

export const keepAliveS = 30
export const pingPacket = mqttPacket.generate({ cmd: 'pingreq' })
const interfaces = 'com.corvina.control.sub.Config:0:2;com.corvina.control.pub.Config:0:2'

export const releasePacket = (messageId: number) =>
  mqttPacket.generate({ cmd: 'pubrel', messageId })

const publishOf = (topic: string, payload: Buffer | string, [qos, messageId]: [1 | 2, number]) =>
  mqttPacket.generate({ cmd: 'publish', topic, payload, qos, messageId, dup: false, retain: false })

/** Packets of a device in the order in which an agent sends them: it waits for the answer to each. */
export function packetsOf(realm: string, id: string) {
  const topics = topicsOf(realm, id)
  return {
    connect: () =>
      mqttPacket.generate({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clientId: topics.base,
        clean: true,
        keepalive: keepAliveS,
      }),
    subscribe: () =>
      mqttPacket.generate({
        cmd: 'subscribe',
        messageId: 1,
        subscriptions: [topics.consumerProperties, topics.applyConfiguration].map((topic) => ({
          topic,
          qos: 0,
        })),
      }),
    introspection: () => publishOf(topics.base, interfaces, [2, 2]),
    emptyCache: () => publishOf(topics.emptyCache, '1', [2, 3]),
    configuration: (text: string) =>
      publishOf(topics.configuration, Buffer.from(encodeBson({ v: text, t: Date.now() })), [2, 4]),
    value: (endpoint: string, v: number) =>
      publishOf(topics.value(endpoint), Buffer.from(encodeBson({ v, t: Date.now() })), [1, 5]),
    isConfiguration: (topic: string) => topic === topics.applyConfiguration,
  }
}

/** Packet of a server: its kind, the code of a CONNACK or the id of an acknowledgement, and a PUBLISH of QoS 0. */
export type Received = { kind: number; code: number; topic?: string; payload?: Buffer }
export const kinds = { connack: 2, publish: 3, puback: 4, pubrec: 5, pubcomp: 7, suback: 9 }

/** Packets in bytes that hold whole ones, as the server writes them. */
export function* readPackets(bytes: Buffer): Generator<Received> {
  for (let at = 0; at < bytes.length;) {
    const kind = (bytes[at] ?? 0) >> 4
    let size = 0
    for (let shift = 0, more = true; more; shift += 7) {
      const byte = bytes[++at] ?? 0
      size |= (byte & 0x7f) << shift
      more = byte >= 0x80
    }
    const body = bytes.subarray(at + 1, at + 1 + size)
    at += 1 + size
    yield kind === kinds.publish ? publishIn(body) : { kind, code: codeIn(kind, body) }
  }
}

const codeIn = (kind: number, body: Buffer) => {
  if (body.length < 2) return 0
  return kind === kinds.connack ? (body[1] ?? 0) : body.readUInt16BE(0)
}

function publishIn(body: Buffer): Received {
  const end = 2 + body.readUInt16BE(0)
  const topic = body.toString('utf8', 2, end)
  return { kind: kinds.publish, code: 0, topic, payload: body.subarray(end) }
}
