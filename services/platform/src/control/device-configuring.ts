import { isDeepStrictEqual } from 'node:util'
import { encodeConsumerProperties } from '@longreach/device-protocol/consumer-properties'
import { encodeBson } from '@longreach/device-protocol/payload'
import { topicsOf } from '@longreach/device-protocol/topics'
import { publish } from '@longreach/kit/events'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { platformContract } from '../contract.ts'
import { controlContract } from './contract.ts'
import { baseOf, type Device } from '../devices/device.ts'
import { parseDeviceJson } from '../devices/device-json.ts'
import { noteConfiguration } from '../devices/configuration-history.ts'
import { type PlatformDb, updateState } from '../devices/device-state-store.ts'
import type { Ingest } from '../values/ingest.ts'
import type { Message } from '../mqtt/mqtt-session.ts'

type ConfigurationStatus = { sent: boolean; applied: boolean; error: string | null }

type ConfiguringOptions = {
  db: Kysely<PlatformDb>
  ingest: Ingest
  now: () => Date
  log: FastifyBaseLogger
  /** ms that a device has to report the configuration it was sent. */
  patienceMs: number
  send: (base: string, message: Message) => number
}

const notTakenOver = 'the device has not taken over the configuration that it was sent'

/** Configurations of devices: the wanted one is sent, and compared with the one that the device reports. */
export function createConfiguring(options: ConfiguringOptions) {
  const { db, now, log } = options
  const overdue = new Map<string, NodeJS.Timeout>()
  /** Texts that their devices have been sent and apply, as their histories say already. */
  const settled = new Map<string, string | null>()

  const { send, sendTo } = createSender(options)

  const inOrder = createDeviceQueue()
  const tell = (device: Device, status: ConfigurationStatus, more: object = {}) =>
    inOrder(device.id, () => tellNow(device, status, more))
  const tellNow = async (device: Device, status: ConfigurationStatus, more: object) => {
    const known = settled.get(device.id) === device.configurationText && status.applied
    await db.transaction().execute(async (tx: Kysely<PlatformDb>) => {
      const at = now()
      await writeStatus(tx, { device, status, more, at })
      if (!known) await noteConfiguration(tx, device, { status, at })
    })
    if (status.applied) settled.set(device.id, device.configurationText)
    else settled.delete(device.id)
  }

  /**
   * Send the configuration as it is; nothing at all without one, since a device does not survive
   * an empty configuration.
   */
  const configure = async (device: Device) => {
    const error = device.configurationFault
    if (error !== undefined) return tell(device, { sent: false, applied: false, error })
    if (!sendTo(device)) return undefined
    const at = now()
    await updateState(db, device.id, { configuration_sent_at: at })
    if (settled.get(device.id) === device.configurationText) return undefined
    return recordSent(db, device, at)
  }

  /** Sends the configuration that was changed, if the device is connected to this process. */
  const sendChanged = (device: Device) =>
    // Before what the device answers is written down.
    inOrder(device.id, async () => {
      settled.delete(device.id)
      const sent = sendTo(device)
      const status = { sent, applied: false, error: device.configurationFault ?? null }
      if (sent) await writeSent(db, device, { status, at: now() })
    })

  /** After every empty cache, whatever was sent before: nothing waits for a device that is away. */
  const emptyCache = async (device: Device) => {
    const { consumerProperties } = topicsOf(device.realm, device.id)
    send(device, consumerProperties, encodeConsumerProperties([]))
    await configure(device)
  }

  /** Takes the configuration that the device reports; it is compared as JSON, not as text. */
  const report = async (device: Device, text: string) => {
    clearTimeout(overdue.get(device.id))
    const wanted = device.configurationText
    const more = { reported_configuration: text }
    if (wanted === null) return void (await updateState(db, device.id, more))
    if (text === wanted || isDeepStrictEqual(parseDeviceJson(text), parseDeviceJson(wanted))) {
      return tell(device, { sent: true, applied: true, error: null }, more)
    }
    // It says what it did before; what it was sent now it reports after its reconnection.
    overdue.set(device.id, setTimeout(() => late(device, wanted), options.patienceMs).unref())
    return tell(device, { sent: true, applied: false, error: null }, more)
  }

  const late = (device: Device, wanted: string) => {
    overdue.delete(device.id)
    if (device.configurationText !== wanted) return
    tell(device, { sent: true, applied: false, error: notTakenOver }).catch((fault: unknown) =>
      log.error(fault, 'the state of a configuration could not be written down'),
    )
  }

  return {
    configure,
    sendChanged,
    emptyCache,
    report,
    close() {
      for (const timer of overdue.values()) clearTimeout(timer)
    },
  }
}
export type Configuring = ReturnType<typeof createConfiguring>

/**
 * Writes down that the device is to have another configuration, after its preset was changed or removed;
 * the process that it is connected to is notified and sends it.
 */
export async function saveChangedConfiguration(
  tx: Kysely<PlatformDb>,
  device: Device,
  { at, by }: { at: Date; by: string | undefined },
) {
  const status = { sent: false, applied: false, error: device.configurationFault ?? null }
  await writeStatus(tx, { device, status, more: {}, at })
  await noteConfiguration(tx, device, { status, at, by })
  await publish(tx, controlContract.events.configurationChanged, { deviceId: device.id })
}

/** Queue for each device, so that its latest report is stored last. */
function createDeviceQueue() {
  const lines = new Map<string, Promise<void>>()
  return (id: string, work: () => Promise<void>) => {
    const before = lines.get(id) ?? Promise.resolve()
    const mine = before.catch(() => undefined).then(work) // its own caller gets the error
    lines.set(id, mine)
    const done = () => {
      if (lines.get(id) === mine) lines.delete(id)
    }
    mine.then(done, done)
    return mine
  }
}

function createSender(options: Pick<ConfiguringOptions, 'send' | 'ingest'>) {
  const send = (device: Device, topic: string, payload: Uint8Array) => {
    const delivered = options.send(baseOf(device), { topic, payload, qos: 1 })
    if (delivered > 0) options.ingest.frame(device, { direction: 'sent', topic, payload, ok: true })
    return delivered
  }
  return {
    send,
    /** Sends the configuration; false when there is none to send, or the device is not connected. */
    sendTo(device: Device) {
      const { configuration, configurationText } = device
      if (!configuration || configurationText === null) return false
      const { applyConfiguration } = topicsOf(device.realm, device.id)
      return send(device, applyConfiguration, encodeBson({ v: configurationText })) > 0
    },
  }
}

const recordSent = (db: Kysely<PlatformDb>, device: Device, at: Date) => {
  const status = { sent: true, applied: false, error: null }
  return db
    .transaction()
    .execute((tx: Kysely<PlatformDb>) => noteConfiguration(tx, device, { status, at }))
}

const writeSent = (
  db: Kysely<PlatformDb>,
  device: Device,
  { status, at }: Pick<Written, 'status' | 'at'>,
) =>
  db.transaction().execute(async (tx: Kysely<PlatformDb>) => {
    await writeStatus(tx, { device, status, more: { configuration_sent_at: at }, at })
    await noteConfiguration(tx, device, { status, at })
  })

type Written = { device: Device; status: ConfigurationStatus; more: object; at: Date }

async function writeStatus(tx: Kysely<PlatformDb>, { device, status, more, at }: Written) {
  await updateState(tx, device.id, {
    ...more,
    configuration_applied: status.applied,
    configuration_error: status.error,
  })
  const value = { deviceId: device.id, ...status, at: at.getTime() }
  await publish(tx, platformContract.events.configurationStatus, value)
}
