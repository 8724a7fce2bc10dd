import { decodePayload } from '@longreach/device-protocol/payload'
import { parseIntrospection, parseTopic } from '@longreach/device-protocol/topics'
import { refusal } from '@longreach/device-protocol/refusals'
import type { Kysely } from 'kysely'
import type { AgentLink } from '../agents/agent-link.ts'
import type { AlarmSession } from '../device-alarms/alarm-session.ts'
import type { DeviceAlarms } from '../device-alarms/device-alarms.ts'
import type { Device } from '../devices/device.ts'
import { parseDeviceJson } from '../devices/device-json.ts'
import type { Configuring } from './device-configuring.ts'
import { type PlatformDb, saveIntrospection, updateState } from '../devices/device-state-store.ts'
import type { Ingest } from '../values/ingest.ts'
import { createWorkQueue } from '../devices/work-queue.ts'
import type { Message } from '../mqtt/mqtt-session.ts'

type Options = {
  db: Kysely<PlatformDb>
  ingest: Ingest
  configuring: Configuring
  agents: AgentLink
  alarms: DeviceAlarms
}

/** Messages that are handled at a time. */
const atOnce = 8
const longestText = 2 * 1024 * 1024

const refusalOf = (kind: string | undefined) => (kind === 'value' ? 'topicUnbound' : 'topicUnknown')

/** The text in a control message; undefined when it was refused. */
const textReader = (ingest: Options['ingest']) => (device: Device, message: Message) => {
  const { topic, payload } = message
  if (payload.length > longestText) {
    void ingest.refuse(device, topic, payload, refusal('messageTooLong', { most: longestText }))
    return undefined
  }
  const decoded = decodePayload(payload)
  if (decoded.ok && typeof decoded.v === 'string') return decoded.v
  const why = decoded.ok ? refusal('textExpected') : decoded.reason
  void ingest.refuse(device, topic, payload, why)
  return undefined
}

/** Messages of a device about itself: its identity, capabilities and applied configuration. */
export function createSequence({ db, ingest, configuring, agents, alarms }: Options) {
  const textOf = textReader(ingest)
  const received = (device: Device, message: Message, value: unknown) => {
    const { topic, payload } = message
    ingest.frame(device, { direction: 'received', topic, payload, ok: true, value })
  }

  const availableTags = (device: Device, message: Message) => {
    const text = textOf(device, message)
    if (text === undefined) return undefined
    const tags = parseDeviceJson(text)
    if (!Array.isArray(tags)) {
      return ingest.refuse(device, message.topic, message.payload, refusal('noList'))
    }
    received(device, message, `${tags.length} tags`)
    return updateState(db, device.id, { available_tags: JSON.stringify(tags) })
  }

  const introspection = (device: Device, message: Message) => {
    const text = Buffer.from(message.payload).toString('latin1').slice(0, 200_000)
    if (!parseIntrospection(text)) {
      return ingest.refuse(device, message.topic, message.payload, refusal('noIntrospection'))
    }
    received(device, message, text)
    return saveIntrospection(db, device.id, text)
  }

  const configuration = (device: Device, message: Message) => {
    const text = textOf(device, message)
    if (text === undefined) return undefined
    received(device, message, text.slice(0, 200))
    return configuring.report(device, text)
  }

  /** Messages that only agents of this product send. */
  const fromAgent = (device: Device, message: Message, kind: 'answer' | 'health') => {
    const text = textOf(device, message)
    return text === undefined ? undefined : agents[kind](device, message, text)
  }

  const control = async (device: Device, message: Message): Promise<unknown> => {
    const { topic, payload } = message
    const kind = parseTopic(topic)?.kind
    switch (kind) {
      case 'introspection':
        return introspection(device, message)
      case 'emptyCache':
        received(device, message, '')
        await configuring.emptyCache(device)
        return alarms.sendCommands(device)
      case 'configuration':
        return configuration(device, message)
      case 'availableTags':
        return availableTags(device, message)
      case 'agentAnswer':
        return fromAgent(device, message, 'answer')
      case 'agentHealth':
        return fromAgent(device, message, 'health')
      default:
        return ingest.refuse(device, topic, payload, refusal(refusalOf(kind)))
    }
  }

  const inOrder = createDeviceOrder()
  return {
    /**
     * A message that is no value, in a connection of the device; resolves when what it says is written down.
     */
    control(device: Device, message: Message, session: AlarmSession): Promise<void> {
      const kind = parseTopic(message.topic)?.kind
      // These have an order of their own, and come by the thousand.
      if (kind === 'alarm') return alarms.report(device, message, session)
      if (kind === 'emptyCache') alarms.asked(session)
      return inOrder(device.id, () => control(device, message))
    },
  }
}
export type Sequence = ReturnType<typeof createSequence>

/** Order in which messages of one device are handled: one after the other, as it sent them. */
function createDeviceOrder() {
  const lines = new Map<string, Promise<unknown>>()
  const queue = createWorkQueue(atOnce)
  return async (deviceId: string, work: () => Promise<unknown>): Promise<void> => {
    const before = lines.get(deviceId) ?? Promise.resolve()
    const mine = before.catch(() => undefined).then(() => queue.run(work)) // the one before told its own caller
    lines.set(deviceId, mine)
    try {
      await mine
    } finally {
      if (lines.get(deviceId) === mine) lines.delete(deviceId)
    }
  }
}
