import 'reflect-metadata'
import { once } from 'node:events'
import type { PeerCertificate } from 'node:tls'
import tls from 'node:tls'
import * as x509 from '@peculiar/x509'
import Fastify from 'fastify'
import mqttPacket, { type IConnectPacket, type Packet } from 'mqtt-packet'
import {
  deviceCertificateOf,
  makeAuthority,
  serverCertificateOf,
  type Signer,
} from '../pairing/certificate-authority-x509.ts'
import { createMqttEndpoint, type MqttOptions } from './mqtt-endpoint.ts'
import type { Message } from './mqtt-session.ts'

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
export type ClientFiles = { cert: string; key: string; ca: string }

/** A key and a certificate for it by `signer`, as of `now`. */
export async function clientFiles(
  signer: Signer,
  name: string,
  now = new Date(),
): Promise<ClientFiles> {
  const keys = await crypto.subtle.generateKey(ecdsa, true, ['sign', 'verify'])
  const publicKey = new x509.PublicKey(await crypto.subtle.exportKey('spki', keys.publicKey))
  const certificate = await deviceCertificateOf(
    signer,
    { publicKey, subject: [{ CN: [name] }] },
    now,
  )
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    cert: certificate.toString('pem'),
    key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY'),
    ca: signer.certificate.toString('pem'),
  }
}

type Identity = { base: string }
type Wished = Partial<Pick<MqttOptions<Identity>, 'onPublish' | 'limits'>> & {
  /** Awaited before a device is identified. */
  lookedUp?: (base: string) => Promise<void>
}

/** Endpoint on a free port that records its calls; `unknown` devices are refused. */
export async function testEndpoint({ onPublish, limits, lookedUp }: Wished = {}) {
  const authority = await makeAuthority('test-authority', new Date())
  const server = await serverCertificateOf(authority, ['localhost', '127.0.0.1'], new Date())
  const published: (Message & { base: string })[] = []
  const foreign: Message[] = []
  const events: string[] = []
  const endpoint = createMqttEndpoint<Identity>({
    tls: {
      key: server.key,
      cert: server.certificate.toString('pem'),
      ca: authority.certificate.toString('pem'),
    },
    identify: async ({ subject }: PeerCertificate) => {
      const base = String(subject.CN)
      await lookedUp?.(base)
      return base.includes('unknown') ? undefined : { base }
    },
    onPublish: async (identity, message) => {
      published.push({ ...message, payload: Buffer.from(message.payload), base: identity.base })
      await onPublish?.(identity, message)
    },
    onForeign: (_, message) => foreign.push(message),
    onConnect: ({ base }) => {
      events.push(`${base} came`)
      return () => events.push(`${base} went`)
    },
    ...(limits && { limits }),
    log: Fastify().log,
  })
  const port = await endpoint.listen(0)
  const files = (name: string) => clientFiles(authority, name)
  return { authority, endpoint, port, published, foreign, events, files }
}
export type TestEndpoint = Awaited<ReturnType<typeof testEndpoint>>

/** Client that sends exactly the given packets. */
export async function rawClient(port: number, files: ClientFiles, version: 4 | 5 = 4) {
  const socket = tls.connect({ port, host: '127.0.0.1', ...files })
  const packets: Packet[] = []
  const waiting: (() => void)[] = []
  const parser = mqttPacket.parser({ protocolVersion: version })
  parser.on('packet', (packet) => {
    packets.push({ ...packet })
    for (const wake of waiting.splice(0)) wake()
  })
  socket.on('data', (bytes: Buffer) => parser.parse(bytes))
  socket.on('error', () => undefined) // the test sees the closed socket
  const closed = once(socket, 'close').then(() => {
    for (const wake of waiting.splice(0)) wake()
  })
  await once(socket, 'secureConnect')
  const send = (packet: Packet) =>
    socket.write(mqttPacket.generate(packet, { protocolVersion: version }))
  return {
    socket,
    closed,
    send,
    /** Received packets that were not read yet. */
    packets,
    /** The next packet of this kind; packets before it are passed over. */
    async next<C extends Packet['cmd']>(cmd: C): Promise<Extract<Packet, { cmd: C }>> {
      for (;;) {
        for (let packet = packets.shift(); packet; packet = packets.shift()) {
          if (packet.cmd === cmd) return packet as Extract<Packet, { cmd: C }>
        }
        if (socket.destroyed) throw new Error(`closed before a ${cmd} came`)
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    async connect(more: Partial<IConnectPacket> = {}) {
      const clientId = `raw-${Math.random()}`
      send({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: version,
        clientId,
        clean: true,
        keepalive: 0,
        ...more,
      })
      return this.next('connack')
    },
  }
}
