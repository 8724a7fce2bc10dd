import { coerce } from '@longreach/device-protocol/coerce'
import type { Value } from '@longreach/device-protocol/value'
import mqtt, { type MqttClient } from 'mqtt'
import type { Logger } from 'pino'
import type { MqttSettings } from './source-settings.ts'
import {
  badReading,
  goodReading,
  isScalar,
  type Reading,
  type Report,
  type Source,
} from './tags.ts'
import { parseJson } from './parse-json.ts'

type TagSettings = MqttSettings['tags'][number]
type Waiting = { tag: string; heard: (value: Value) => void }

/** Tags from the topics of a broker at the plant: whole payloads, or fields in JSON. */
export function mqttSource(settings: MqttSettings, log: Logger): Source {
  const { url, username, password, name, tags, confirmMs } = settings
  const byTopic = Map.groupBy(tags, ({ topic }) => topic)
  const waiting = new Set<Waiting>()
  let client: MqttClient | undefined
  let connected = false

  function receive(payload: Buffer, topicTags: readonly TagSettings[], report: Report) {
    const readings = topicTags.flatMap((tag) => toMqttReading(tag, payload.toString()) ?? [])
    report(readings)
    for (const reading of readings) {
      if (!reading.good) continue
      for (const one of waiting) if (one.tag === reading.tag) one.heard(reading.value)
    }
  }

  return {
    name,
    tags: () =>
      tags.map(({ name: tag, type, writeTopic }) => ({
        name: tag,
        type,
        writable: writeTopic !== undefined,
      })),
    start(report) {
      const login = {
        ...(username !== undefined && { username }),
        ...(password !== undefined && { password }),
      }
      client = mqtt.connect(url, { ...login, reconnectPeriod: 2_000, resubscribe: false })
      client.on('connect', () => {
        connected = true
        log.info({ source: name }, `connected to ${url}`)
        client?.subscribe([...byTopic.keys()], { qos: 1 }, (error) => {
          if (error) log.warn({ source: name }, `${url} refuses the topics: ${error.message}`)
        })
      })
      let reason = 'the connection was closed'
      client.on('error', (error) => (reason = error.message))
      client.on('close', () => {
        if (client?.disconnecting) return // the source is stopped
        if (connected) log.warn({ source: name }, `${url}: ${reason}`)
        connected = false
        report(tags.map((tag) => badReading(tag.name, reason)))
      })
      client.on('message', (topic, payload) => receive(payload, byTopic.get(topic) ?? [], report))
    },
    async write(tagName, value) {
      const tag = tags.find((one) => one.name === tagName)
      if (tag?.writeTopic === undefined) throw new Error(`${tagName} cannot be written`)
      if (!client || !connected) throw new Error(`${url} is not connected`)
      const { promise, resolve, reject } = Promise.withResolvers<Value>()
      let said: Value | undefined
      const one: Waiting = {
        tag: tagName,
        // A message sent before the write may still arrive, so only the written value ends the
        // wait.
        heard(now) {
          said = now
          if (now === value) resolve(now)
        },
      }
      waiting.add(one)
      const timer = setTimeout(() => {
        if (said === undefined) reject(new Error(`nothing came on ${tag.topic} in ${confirmMs} ms`))
        else resolve(said)
      }, confirmMs)
      try {
        const text = typeof value === 'string' ? value : JSON.stringify(value)
        await client.publishAsync(tag.writeTopic, text, { qos: 1 })
        return await promise
      } finally {
        clearTimeout(timer)
        waiting.delete(one)
      }
    },
    async stop() {
      await client?.endAsync(true)
    },
  }
}

/** Undefined when the payload is JSON without the tag's field, because topics are shared. */
function toMqttReading(tag: TagSettings, payload: string): Reading | undefined {
  const { name, path, timePath, type } = tag
  const document = path === undefined && timePath === undefined ? undefined : parseJson(payload)
  const raw = path === undefined ? payload : contentAt(document, path)
  if (raw === undefined && document !== undefined) return undefined
  const t = timeOf(timePath === undefined ? undefined : contentAt(document, timePath))
  const coerced = isScalar(raw) ? coerce(raw, type) : undefined
  if (coerced?.ok) return goodReading(name, coerced.value, t)
  const reason = coerced ? coerced.reason : `no value in ${payload.slice(0, 60)}`
  return badReading(name, `${tag.topic}: ${reason}`, t)
}

/** Content at `a.b.0`; own properties only. */
function contentAt(document: unknown, path: string): unknown {
  let content = document
  for (const part of path.split('.')) {
    if (typeof content !== 'object' || content === null || !Object.hasOwn(content, part))
      return undefined
    content = (content as Record<string, unknown>)[part]
  }
  return content
}

function timeOf(raw: unknown) {
  const ms = typeof raw === 'string' ? Date.parse(raw) : raw
  return typeof ms === 'number' && Number.isFinite(ms) ? ms : Date.now()
}
