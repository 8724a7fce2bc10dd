import mqtt, { type MqttClient } from 'mqtt'
import type { Credentials } from './pairing.ts'

type Message = (topic: string, payload: Uint8Array) => void
export type Connection = {
  subscribe: (topics: readonly string[]) => Promise<void>
  /** Resolves when the broker has acknowledged; rejects when the connection ends before. */
  publish: (topic: string, payload: Uint8Array | string, qos: 1 | 2) => Promise<void>
  /** Resolves with the reason when the connection has ended. */
  lost: Promise<string>
  /** Disconnects by MQTT, so that the platform shows the device as offline at once. */
  close: () => Promise<void>
  /**
   * Closes the socket without MQTT disconnect, to reconnect at once: within the platform's grace
   * time the device stays online.
   */
  abandon: () => void
}

const keepAliveS = 30
const topicsPerSubscribe = 50

/**
 * Connects by MQTT 3.1.1 over TLS with the device's certificate, with a clean session. Throws when
 * that fails.
 */
export async function connect(
  { key, certificate, ca, clientId }: Credentials,
  broker: string,
  onMessage: Message,
): Promise<Connection> {
  const client = mqtt.connect(broker, {
    protocolVersion: 4,
    clean: true,
    clientId,
    key,
    cert: certificate,
    ca,
    rejectUnauthorized: true,
    keepalive: keepAliveS,
    reconnectPeriod: 0,
    connectTimeout: 15_000,
    queueQoSZero: false,
  })
  client.on('message', onMessage)
  const lost = Promise.withResolvers<string>()
  let reason = 'the connection was closed'
  client.on('error', (error) => (reason = error.message))
  client.on('close', () => lost.resolve(reason))
  await connected(client, lost.promise)
  return {
    lost: lost.promise,
    async subscribe(topics) {
      for (let at = 0; at < topics.length; at += topicsPerSubscribe) {
        const granted = await client.subscribeAsync(topics.slice(at, at + topicsPerSubscribe), {
          qos: 0,
        })
        const refused = granted.find(({ qos }) => qos > 2)
        if (refused) throw new Error(`the platform refuses the subscription of ${refused.topic}`)
      }
    },
    async publish(topic, payload, qos) {
      const bytes = typeof payload === 'string' ? payload : Buffer.from(payload)
      await client.publishAsync(topic, bytes, { qos })
    },
    async close() {
      await client.endAsync()
    },
    abandon() {
      client.end(true)
      client.stream.destroy()
    },
  }
}

async function connected(client: MqttClient, lost: Promise<string>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  client.once('connect', () => resolve())
  const failed = lost.then((reason) => {
    client.end(true)
    throw new Error(reason)
  })
  // After connecting, `lost` reports the end.
  failed.catch(() => undefined)
  await Promise.race([promise, failed])
}
