import type { AgentCommand } from '@longreach/device-protocol/agent-wire'
import mqtt from 'mqtt'
import { CommandFault } from './command-fault.ts'
import { messageOf, pause } from './retry.ts'
import type { SourceConnection } from './source-settings.ts'
import { parseJson } from './parse-json.ts'

type Input = Extract<AgentCommand, { command: 'mqtt.listen' }>['input']
type Place = { path: string; value: unknown; type: 'double' | 'boolean' | 'string' }

const [mostTopics, mostPlaces, deepest] = [500, 60, 6]

/** Topics of a broker with messages while listening, and the values in their payloads. */
export async function listenMqtt(source: SourceConnection, { topic, forMs }: Input) {
  if (source.type !== 'mqtt') {
    throw new CommandFault('invalid', 'only an MQTT source can be listened to', 'source.type')
  }
  const { url, username, password } = source
  const login = {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  }
  let client
  try {
    const options = { ...login, reconnectPeriod: 0, connectTimeout: 5_000 }
    client = await mqtt.connectAsync(url, options, false)
  } catch (error) {
    throw new CommandFault('unreachable', messageOf(error), 'source.url')
  }
  const heard = new Map<string, { payload: Buffer; count: number }>()
  client.on('message', (name, payload) => {
    const before = heard.get(name)
    if (before || heard.size < mostTopics)
      heard.set(name, { payload, count: (before?.count ?? 0) + 1 })
  })
  try {
    const [granted] = await client.subscribeAsync(topic, { qos: 0 })
    if ((granted?.qos ?? 0) > 2) {
      throw new CommandFault(
        'failed',
        `the broker does not let this user listen to ${topic}`,
        'topic',
      )
    }
    const lost = new AbortController()
    client.once('close', () => lost.abort())
    await pause(forMs, lost.signal)
  } finally {
    await client.endAsync(true)
  }
  return {
    topics: [...heard]
      .map(([name, { payload, count }]) => ({
        topic: name,
        count,
        sample: payload.toString().slice(0, 300),
        places: placesIn(payload.toString()),
      }))
      .toSorted((a, b) => a.topic.localeCompare(b.topic)),
  }
}

/** Paths of the values in a payload: the whole of it, or the leaves of its JSON. */
export function placesIn(payload: string): Place[] {
  const document = parseJson(payload)
  const whole = toSampledTopic('', document === undefined ? payload : document)
  if (whole) return [whole]
  const places: Place[] = []
  const walk = (content: unknown, path: string, depth: number) => {
    if (places.length >= mostPlaces || depth > deepest) return
    const place = toSampledTopic(path, content)
    if (place) places.push(place)
    else if (typeof content === 'object' && content !== null) {
      for (const [name, inner] of Object.entries(content)) {
        // Dots separate a path, so that a name with a dot cannot be addressed.
        if (!name.includes('.')) walk(inner, path === '' ? name : `${path}.${name}`, depth + 1)
      }
    }
  }
  walk(document, '', 0)
  return places
}

function toSampledTopic(path: string, value: unknown): Place | undefined {
  if (typeof value === 'number') return { path, value, type: 'double' }
  if (typeof value === 'boolean') return { path, value, type: 'boolean' }
  return typeof value === 'string'
    ? { path, value: value.slice(0, 200), type: 'string' }
    : undefined
}
