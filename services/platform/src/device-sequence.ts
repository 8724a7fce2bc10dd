import { isDeepStrictEqual } from 'node:util'
import { encodeConsumerProperties } from '@longreach/device-protocol/consumer-properties'
import { decodePayload, encodeBson } from '@longreach/device-protocol/payload'
import { parseIntrospection, parseTopic, topicsOf } from '@longreach/device-protocol/topics'
import { publish } from '@longreach/kit/events'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { platformContract } from './contract.ts'
import { baseOf, type Device } from './device.ts'
import { type PlatformDb, updateState } from './device-state-store.ts'
import type { Ingest } from './ingest.ts'
import type { Message } from './mqtt-session.ts'

export type ConfigurationStatus = { sent: boolean; applied: boolean; error: string | null }

type Options = {
  db: Kysely<PlatformDb>
  ingest: Ingest
  now: () => Date
  log: FastifyBaseLogger
  /** ms that a device has to report the configuration it was sent. */
  patienceMs: number
  send: (base: string, message: Message) => number
  onStatus: (device: Device, status: ConfigurationStatus) => void
}

const longestText = 2 * 1024 * 1024

/** What happens between a device and the platform besides values: who it is, what it can, what it shall do. */
export function createSequence(options: Options) {
  const { db, ingest, now, log } = options
  const overdue = new Map<string, NodeJS.Timeout>()

  const send = (device: Device, topic: string, payload: Uint8Array) => {
    const delivered = options.send(baseOf(device), { topic, payload, qos: 1 })
    if (delivered > 0) ingest.frame(device, { direction: 'sent', topic, payload, ok: true })
    return delivered
  }

  const tell = async (device: Device, status: ConfigurationStatus, more: object = {}) => {
    await db.transaction().execute(async (tx) => {
      await updateState(tx, device.id, {
        ...more,
        configuration_applied: status.applied,
        configuration_error: status.error,
      })
      const value = { deviceId: device.id, ...status, at: now().getTime() }
      await publish(tx, platformContract.events.configurationStatus, value)
    })
    options.onStatus(device, status)
  }

  /**
   * Send the configuration as it is; nothing at all without one, since a device does not survive
   * an empty configuration.
   */
  const configure = async (device: Device) => {
    const { configuration, configurationText, configurationFault } = device
    if (configurationFault !== undefined) {
      return tell(device, { sent: false, applied: false, error: configurationFault })
    }
    if (!configuration || configurationText === null) return undefined
    const { applyConfiguration } = topicsOf(device.realm, device.id)
    if (send(device, applyConfiguration, encodeBson({ v: configurationText })) === 0)
      return undefined
    return updateState(db, device.id, { configuration_sent_at: now() })
  }

  /** The preset was changed or taken away: a connected device hears of it at once. */
  const reconfigure = async (device: Device, tx: Kysely<PlatformDb>) => {
    const error = device.configurationFault ?? null
    const { configuration, configurationText } = device
    const { applyConfiguration } = topicsOf(device.realm, device.id)
    const payload = encodeBson({ v: configurationText })
    const sent = configuration !== undefined && send(device, applyConfiguration, payload) > 0
    const status = { sent, applied: false, error }
    await updateState(tx, device.id, {
      configuration_applied: false,
      configuration_error: error,
      ...(sent && { configuration_sent_at: now() }),
    })
    const value = { deviceId: device.id, ...status, at: now().getTime() }
    await publish(tx, platformContract.events.configurationStatus, value)
    options.onStatus(device, status)
  }

  const emptyCache = async (device: Device) => {
    const { consumerProperties } = topicsOf(device.realm, device.id)
    send(device, consumerProperties, encodeConsumerProperties([]))
    await configure(device)
  }

  const report = async (device: Device, text: string) => {
    clearTimeout(overdue.get(device.id))
    const wanted = device.configurationText
    const more = { reported_configuration: text }
    if (wanted === null) return void (await updateState(db, device.id, more))
    if (text === wanted || isDeepStrictEqual(parsed(text), parsed(wanted))) {
      return tell(device, { sent: true, applied: true, error: null }, more)
    }
    // It says what it did before; what it was sent now it reports after its reconnection.
    const late = () => {
      overdue.delete(device.id)
      if (device.configurationText !== wanted) return
      const error = 'the device has not taken over the configuration that it was sent'
      tell(device, { sent: true, applied: false, error }).catch((fault: unknown) =>
        log.error(fault, 'the state of a configuration could not be written down'),
      )
    }
    overdue.set(device.id, setTimeout(late, options.patienceMs).unref())
    return tell(device, { sent: true, applied: false, error: null }, more)
  }

  const received = (device: Device, message: Message, value: unknown) => {
    const { topic, payload } = message
    ingest.frame(device, { direction: 'received', topic, payload, ok: true, value })
  }

  /** The text in a control message; undefined when it was refused. */
  const textOf = (device: Device, message: Message) => {
    const { topic, payload } = message
    if (payload.length > longestText) {
      void ingest.refuse(device, topic, payload, `over ${longestText} bytes`)
      return undefined
    }
    const decoded = decodePayload(payload)
    if (decoded.ok && typeof decoded.v === 'string') return decoded.v
    const why = decoded.ok ? 'v is no text' : decoded.reason
    void ingest.refuse(device, topic, payload, why)
    return undefined
  }

  const availableTags = (device: Device, message: Message) => {
    const text = textOf(device, message)
    if (text === undefined) return undefined
    const tags = parsed(text)
    if (!Array.isArray(tags)) {
      return ingest.refuse(device, message.topic, message.payload, 'availableTags is no list')
    }
    received(device, message, `${tags.length} tags`)
    return updateState(db, device.id, { available_tags: JSON.stringify(tags) })
  }

  const introspection = (device: Device, message: Message) => {
    const text = Buffer.from(message.payload).toString('latin1').slice(0, 200_000)
    if (!parseIntrospection(text)) {
      return ingest.refuse(device, message.topic, message.payload, 'no introspection')
    }
    received(device, message, text)
    return updateState(db, device.id, { introspection: text })
  }

  const configuration = (device: Device, message: Message) => {
    const text = textOf(device, message)
    if (text === undefined) return undefined
    received(device, message, text.slice(0, 200))
    return report(device, text)
  }

  return {
    configure,
    reconfigure,
    /** A message that is no value; resolves when what it says is written down. */
    async control(device: Device, message: Message): Promise<void> {
      const { topic, payload } = message
      switch (parseTopic(topic)?.kind) {
        case 'introspection':
          return void (await introspection(device, message))
        case 'emptyCache':
          received(device, message, '')
          return void (await emptyCache(device))
        case 'configuration':
          return void (await configuration(device, message))
        case 'availableTags':
          return void (await availableTags(device, message))
        case 'alarm':
          return ingest.refuse(device, topic, payload, 'alarms are not read yet')
        case 'value':
          return ingest.refuse(
            device,
            topic,
            payload,
            'no path of its configuration has this topic',
          )
        case undefined:
          return ingest.refuse(device, topic, payload, 'unknown topic')
      }
    },
    close() {
      for (const timer of overdue.values()) clearTimeout(timer)
    },
  }
}
export type Sequence = ReturnType<typeof createSequence>

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // no JSON: equal to nothing
  }
}
