import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import { deserialize, serialize } from 'bson'
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const protocol = 'protocols/corvina_mqtt_v1/credentials'

export type Paired = {
  realm: string
  logicalId: string
  broker: string
  key: string
  cert: string
  ca: string
}

/** Pair as the guide for devices says: look the key up, have a certificate signed, fetch the authority. */
export async function pair(origin: string, activationKey: string): Promise<Paired> {
  const query = new URLSearchParams({ activationKey, serialNumber: '' })
  const licence = (await answer(fetch(`${origin}/pairing/api/v1/?${query}`))) as Record<
    string,
    string
  >
  const {
    realm = '',
    logicalId = '',
    apiKey = '',
    platformPairingApiUrl = '',
    brokerUrls = '',
  } = licence
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: `CN=${logicalId}`,
    keys,
    signingAlgorithm: algorithm,
  })
  const signed = await answer(
    fetch(`${platformPairingApiUrl}/devices/${logicalId}/${protocol}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ data: { csr: request.toString('pem') } }),
    }),
  )
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString(
    'base64',
  )
  const ca = await (await fetch(`${origin}/pairing/ca.crt`)).text()
  return {
    realm,
    logicalId,
    broker: (brokerUrls.split(',')[0] ?? '').replace('corvina_mqtt_v1', 'mqtts'),
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`,
    cert: (signed as { data: { client_crt: string } }).data.client_crt,
    ca,
  }
}

async function answer(response: Promise<Response>): Promise<unknown> {
  const got = await response
  const text = await got.text()
  if (!got.ok) throw new Error(`${got.status} ${text}`)
  return JSON.parse(text)
}

/** Fails what waits for an answer when the connection ends: the client itself would wait for ever. */
function failing(client: MqttClient, endsForGood: boolean) {
  const ended = new Promise<never>((_, fail) => {
    if (endsForGood) client.once('close', () => fail(new Error('the connection has ended')))
  })
  ended.catch(() => undefined) // the promise may be rejected before it is awaited
  return <T>(answer: Promise<T>): Promise<T> => Promise.race([answer, ended])
}

const bson = (document: object) => Buffer.from(serialize(document))

type Leaf = {
  datalink?: { source: string }
  mapping?: { device_endpoint?: string; server_endpoint?: string }
}
type Configuration = { properties: Record<string, { properties: Record<string, Leaf> }> }

/** A device without an agent: connects, takes its configuration, sends values, confirms writes. */
export async function connectDevice(paired: Paired, options: IClientOptions = {}) {
  const { realm, logicalId, broker, key, cert, ca } = paired
  const root = `${realm}/${logicalId}`
  const settings: IClientOptions = {
    protocolVersion: 4,
    clientId: root,
    clean: true,
    key,
    cert,
    ca,
    reconnectPeriod: 0,
    ...options,
  }
  // Without "retries", or a connection that is refused in TLS would settle nothing.
  const client = await connectAsync(broker, settings, false)
  const orEnded = failing(client, settings.reconnectPeriod === 0)
  const written: { endpoint: string; v: unknown }[] = []
  let configured: (configuration: Configuration) => void
  const configuration = new Promise<Configuration>((done) => (configured = done))
  client.on('message', (topic, payload) => {
    const name = topic.slice(root.length)
    if (name === '/control/consumer/properties') return
    const { v } = deserialize(payload) as { v: unknown }
    if (name.endsWith('/applyConfiguration')) configured(JSON.parse(String(v)) as Configuration)
    else written.push({ endpoint: name, v })
  })
  const publish = (topic: string, payload: Buffer | string, qos: 0 | 1 | 2 = 2) =>
    orEnded(client.publishAsync(`${root}${topic}`, payload, { qos }))
  const subscribe = async (topic: string | string[]) => {
    await orEnded(client.subscribeAsync(topic))
  }
  await subscribe(
    ['/control/consumer/properties', '/com.corvina.control.sub.Config/#'].map(
      (name) => root + name,
    ),
  )
  await publish('', 'com.corvina.control.sub.Config:0:2;com.corvina.control.pub.Config:0:2')
  await publish('/control/emptyCache', '1')
  const report = (name: string, value: unknown) =>
    publish(
      `/com.corvina.control.pub.Config/${name}`,
      bson({ v: JSON.stringify(value), t: new Date() }),
    )
  return {
    client,
    root,
    configuration,
    written,
    report,
    /** Publishes on a topic below the device's own; settles when the platform has completed it. */
    publish,
    /** Send a value; settles when the platform has acknowledged it. */
    send: (endpoint: string, v: unknown, t = new Date(), qos: 0 | 1 | 2 = 1) =>
      publish(endpoint, bson({ v, t }), qos),
    /** Subscribe to any topic; fails when it is refused or the connection ends. */
    subscribe,
    listen: (endpoint: string) => subscribe(root + endpoint),
    /** The leaf of the configuration that a tag feeds. */
    async leafOf(tag: string) {
      const [model] = Object.values((await orEnded(configuration)).properties)
      return Object.values(model?.properties ?? {}).find(({ datalink }) => datalink?.source === tag)
    },
    close: () => client.endAsync(true),
  }
}

type Device = Awaited<ReturnType<typeof connectDevice>>

/**
 * Makes a device report each value that is written to a tag, at the times that are given; returns how it
 * sends one of its own.
 */
export async function reportWrites(device: Device, tag: string, time = () => new Date()) {
  const { mapping = {} } = (await device.leafOf(tag)) ?? {}
  const { device_endpoint: own = '', server_endpoint: theirs = '' } = mapping
  await device.listen(theirs)
  let reported = 0
  device.client.on('message', () => {
    for (; reported < device.written.length; reported += 1)
      device.send(own, device.written[reported]?.v, time()).catch(() => undefined) // the connection has ended
  })
  return (v: unknown, t = time()) => device.send(own, v, t)
}
