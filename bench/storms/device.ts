import { decodePayload } from '@longreach/device-protocol/payload'
import type { DeviceLines } from '../../services/platform/src/mqtt/device-lines.ts'
import {
  kinds,
  packetsOf,
  pingPacket,
  readPackets,
  type Received,
  releasePacket,
} from './device-packets.ts'
import { DeviceStream } from './device-stream.ts'
import type { End } from './wire.ts'

/** As an agent has it. */
const connectMs = 15_000

type Options = {
  realm: string
  id: string
  certificate: Buffer
  ip: string
  /** Number that it sends as its value. */
  value: number
  connected: () => void
  /** The server has acknowledged all that a device says after it has connected. */
  served: () => void
  ended: (why: End) => void
}
type Endpoint = NonNullable<DeviceLines['endpoint']>
type Configuration = {
  properties: Record<string, { properties: Record<string, Leaf> }>
}
type Leaf = { datalink?: { source: string }; mapping?: { device_endpoint?: string } }
/** Tag of the value that the devices send. */
const tag = 'tag.double'

/** Simulated device over one connection: it connects, says what it is, takes its configuration and sends a value. */
export class Device {
  readonly #options: Options
  readonly #packets: ReturnType<typeof packetsOf>
  readonly #stream: DeviceStream
  #late: NodeJS.Timeout | undefined
  #configuration: string | undefined
  #announced = false
  #ended = false

  constructor(options: Options, endpoint: Endpoint) {
    const { realm, id, certificate, ip } = options
    this.#options = options
    this.#packets = packetsOf(realm, id)
    this.#stream = new DeviceStream({ certificate, ip, heard: (bytes) => this.#heard(bytes) })
    this.#stream.on('error', () => undefined) // its close follows
    this.#stream.once('close', () => this.#end('closed'))
    this.#late = setTimeout(() => this.#leave('late'), connectMs)
    endpoint.admit(this.#stream)
    this.#send(this.#packets.connect())
  }

  ping() {
    if (!this.#late) this.#send(pingPacket)
  }

  /** Loses the connection; the server gets its end, or nothing. */
  cut(silently: boolean) {
    if (silently) this.#stream.silence()
    this.#end('cut')
    if (!silently) this.#stream.destroy()
  }

  #send(bytes: Buffer) {
    if (!this.#ended && !this.#stream.destroyed) this.#stream.push(bytes)
  }

  #leave(why: End) {
    this.#end(why)
    this.#stream.destroy()
  }

  #end(why: End) {
    clearTimeout(this.#late)
    if (this.#ended) return
    this.#ended = true
    this.#options.ended(why)
  }

  #heard(bytes: Buffer) {
    for (const packet of readPackets(bytes)) if (!this.#ended) this.#answer(packet)
  }

  #answer({ kind, code, topic, payload }: Received) {
    if (kind === kinds.connack) this.#connected(code)
    else if (kind === kinds.suback) this.#send(this.#packets.introspection())
    else if (kind === kinds.pubrec) this.#send(releasePacket(code))
    else if (kind === kinds.pubcomp) this.#completed(code)
    else if (kind === kinds.puback) this.#options.served()
    else if (topic !== undefined && this.#packets.isConfiguration(topic)) this.#configured(payload)
  }

  #connected(code: number) {
    if (code !== 0) return this.#leave('refused')
    clearTimeout(this.#late)
    this.#late = undefined
    this.#options.connected()
    this.#send(this.#packets.subscribe())
  }

  /** Its messages of QoS 2, by their ids: introspection, empty cache, configuration. */
  #completed(messageId: number) {
    if (messageId === 2) this.#send(this.#packets.emptyCache())
    if (messageId === 3) this.#announced = true
    if (messageId === 3) this.#report()
    const endpoint = messageId === 4 ? endpointIn(this.#configuration ?? '') : undefined
    if (endpoint !== undefined) this.#send(this.#packets.value(endpoint, this.#options.value))
  }

  #configured(payload: Buffer = Buffer.alloc(0)) {
    const decoded = decodePayload(payload)
    if (!decoded.ok || typeof decoded.v !== 'string') throw new Error('a wrong configuration')
    this.#configuration = decoded.v
    this.#report()
  }

  #report() {
    if (!this.#announced || this.#configuration === undefined) return
    this.#announced = false
    this.#send(this.#packets.configuration(this.#configuration))
  }
}

let known: { text: string; endpoint: string } | undefined

/** Topic of the tag's value in a configuration; all devices have the same one. */
function endpointIn(text: string) {
  if (known?.text === text) return known.endpoint
  const { properties } = JSON.parse(text) as Configuration
  const leaves = Object.values(properties).flatMap((model) => Object.values(model.properties))
  const endpoint = leaves.find(({ datalink }) => datalink?.source === tag)?.mapping?.device_endpoint
  if (endpoint === undefined) throw new Error('the configuration names no topic')
  known = { text, endpoint }
  return endpoint
}
