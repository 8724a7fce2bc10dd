import 'reflect-metadata'
import { inflateSync } from 'node:zlib'
import * as x509 from '@peculiar/x509'
import { deserialize, serialize } from 'bson'
import { connectAsync, type MqttClient } from 'mqtt'
import { WireAlarms } from './wire-alarms.ts'
import { type Configuration, Dead, type Leaf, leavesOf } from './wire-configuration.ts'

const rsa = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
}
const base = [
  'com.corvina.control.sub.Config:0:2',
  'com.corvina.control.pub.Config:0:2',
  'com.corvina.control.pub.DeviceAlarm:2:0',
  'com.corvina.control.sub.DeviceAlarm:1:0',
]

type Options = {
  /** As a person types it: with or without the slash at the end. */
  pairing: string
  activationKey: string
  /** The authority that the broker's certificate is checked against. */
  ca: string
  format: 'bson' | 'json'
  tags: readonly { name: string; type: string }[]
  /** Alarms that it simulates; without them it does not survive an alarm command. */
  alarms?: ConstructorParameters<typeof WireAlarms>[0]
}

/**
 * A device as the wire describes it, which shares nothing with the platform: an RSA key and a
 * certificate at each start, a clean MQTT 3.1.1 session, three subscriptions and three messages in
 * their order, a hard close and a second of rest for a new configuration. What would end the real
 * library's process is kept in `deaths`.
 */
export async function startWireDevice(options: Options) {
  const device = new WireDevice(options)
  await device.start()
  return device
}

export class WireDevice {
  readonly deaths: Error[] = []
  /** Every configuration text as it came, equal ones too. */
  readonly configurations: string[] = []
  readonly properties: string[] = []
  readonly written: { topic: string; v: unknown }[] = []
  readonly alarms: WireAlarms
  connections = 0
  applied = '""'
  root = ''
  certificate = ''
  protocol = ''
  #client: MqttClient | undefined
  #key = ''
  #broker = ''
  #leaves: Leaf[] = []
  #closed = false
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
    this.alarms = new WireAlarms(options.alarms ?? [], (v) =>
      this.#tell('/com.corvina.control.pub.DeviceAlarm/a', this.#encode(v)),
    )
  }

  async start() {
    await this.#pair()
    await this.connect()
  }

  async #pair() {
    const { pairing, activationKey } = this.#options
    const licence = await json(`${pairing}?activationKey=${activationKey}&serialNumber=`)
    const { realm, logicalId, apiKey, platformPairingApiUrl, brokerUrls } = licence as Record<
      string,
      string
    >
    if (brokerUrls === undefined) throw new Dead('no broker')
    const urls = brokerUrls.split(',').filter((url) => url.startsWith('corvina_mqtt_v1'))
    this.#broker = (urls[0] ?? '').replace('corvina_mqtt_v1', 'mqtts')
    this.root = `${realm}/${logicalId}`
    const keys = await crypto.subtle.generateKey(rsa, true, ['sign', 'verify'])
    const name = `O=System, CN=${logicalId}`
    const request = { name, keys, signingAlgorithm: rsa }
    const csr = await x509.Pkcs10CertificateRequestGenerator.create(request)
    const url = `${platformPairingApiUrl}/devices/${logicalId}/protocols/corvina_mqtt_v1/credentials`
    const signed = await json(url, apiKey, { data: { csr: csr.toString('pem') } })
    this.certificate = (signed as { data: { client_crt: string } }).data.client_crt
    await json(`${url}/verify`, apiKey, { data: { client_crt: this.certificate } })
    const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
    this.#key = x509.PemConverter.encode(pkcs8, 'PRIVATE KEY')
  }

  async connect() {
    const commonName = new x509.X509Certificate(this.certificate).subjectName.getField('CN')[0]
    const client = await connectAsync(this.#broker, {
      protocolVersion: 4,
      clean: true,
      clientId: commonName ?? '',
      key: this.#key,
      cert: this.certificate,
      ca: this.#options.ca,
      reconnectPeriod: 0,
    })
    this.#client = client
    client.on('error', () => undefined) // the close that follows is what counts
    client.on('message', (topic, payload) => this.#receive(topic.slice(this.root.length), payload))
    // The library makes its alarms anew at every connection.
    this.alarms.forget()
    this.protocol = (client.stream as { getProtocol?: () => string }).getProtocol?.() ?? ''
    const topics = [
      '/control/consumer/properties',
      '/com.corvina.control.sub.Config/applyConfiguration',
      '/com.corvina.control.sub.DeviceAlarm/a',
      ...this.#leaves.flatMap((leaf) => leaf.in ?? []),
    ]
    for (const topic of topics) await client.subscribeAsync(this.root + topic, { qos: 0 })
    this.#tell('', [...base, ...this.#interfaces()].join(';'))
    this.#tell('/control/emptyCache', '1')
    this.#tell('/com.corvina.control.pub.Config/configuration', this.#encode(this.applied))
    // Counted once it has said all: an alarm that comes before is none that it knows in this connection.
    this.connections += 1
    setTimeout(() => {
      const tags = JSON.stringify(this.#options.tags)
      if (client.connected)
        this.#tell('/com.corvina.control.pub.Config/availableTags', this.#encode(tags))
    }, 1_000)
  }

  /** Messages that the library loses with its socket are lost. */
  #tell(topic: string, payload: string | Buffer) {
    this.#client?.publish(this.root + topic, payload, { qos: 2 })
  }

  #encode(v: unknown, t = new Date()) {
    if (this.#options.format === 'json') return JSON.stringify({ t: t.getTime(), v })
    return Buffer.from(serialize({ v, t }, { ignoreUndefined: true }))
  }

  #interfaces() {
    if (this.applied === '""') return []
    const [model] = Object.values((JSON.parse(this.applied) as Configuration).properties)
    return (model?.interfaces ?? []).map(
      (one) => `${one.interface_name}:${one.version_major}:${one.version_minor}`,
    )
  }

  #receive(topic: string, payload: Buffer) {
    try {
      if (topic === '/control/consumer/properties') return this.#readProperties(payload)
      // From the platform everything is BSON, whatever the device itself speaks.
      const { v } = deserialize(payload) as { v: unknown }
      if (topic.endsWith('/applyConfiguration')) return this.#configure(v)
      if (topic.endsWith('DeviceAlarm/a')) {
        if (!this.#options.alarms) throw new Dead('an alarm command, but no simulation')
        return this.alarms.receive(v)
      }
      this.#take(topic, v)
    } catch (error) {
      this.deaths.push(error as Error)
    }
  }

  #readProperties(payload: Buffer) {
    const text = inflateSync(payload.subarray(4)).toString()
    if (payload.readUInt32BE(0) !== text.length) throw new Dead('properties of another length')
    this.properties.push(text)
  }

  #configure(v: unknown) {
    if (typeof v !== 'string') throw new Dead('a configuration that is no text')
    this.configurations.push(v)
    if (v === this.applied) return
    this.#leaves = leavesOf(JSON.parse(v) as Configuration)
    this.applied = v
    void this.drop().then(async () => {
      await rest(1_000)
      if (!this.#closed) await this.connect()
    })
  }

  #take(topic: string, v: unknown) {
    const leaf = this.#leaves.find((one) => one.in === topic)
    if (!leaf) throw new Dead(`a write to ${topic}`)
    this.written.push({ topic, v })
    const { out, field } = leaf
    if (out !== undefined) this.#tell(out, this.#encode(field === undefined ? v : { [field]: v }))
  }

  /** Send the value of a tag; refused while the device has no configuration that names it. */
  async send(tag: string, v: unknown, t = new Date()) {
    const leaf = this.#leaves.find(({ source }) => source === tag)
    if (leaf?.out === undefined) throw new Error(`${tag} is not mapped`)
    await this.#client?.publishAsync(this.root + leaf.out, this.#encode(v, t), { qos: 1 })
  }

  /** The socket goes, without a word. */
  async drop() {
    const client = this.#client
    if (!client) return
    const closed = new Promise<void>((done) => client.once('close', () => done()))
    client.stream.destroy()
    await closed
  }

  /** Starts anew, as after a power cut: with another key and certificate. */
  async restart() {
    await this.drop()
    await this.start()
  }

  /** The connection of now; one that was taken over is another. */
  get connection() {
    return this.#client
  }

  async stop() {
    this.#closed = true
    await this.#client?.endAsync(true)
  }
}

const rest = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

async function json(url: string, apiKey?: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const sent = body && { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch(url, sent)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`)
  return JSON.parse(text)
}
