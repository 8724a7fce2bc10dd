import { alarmsContract } from '@longreach/alarms/contract'
import { readAlarmMessage } from '@longreach/device-protocol/alarm-message'
import { decodePayload } from '@longreach/device-protocol/payload'
import type { Client } from '@longreach/kit/client'
import { publishAll } from '@longreach/kit/events'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { Device } from '../devices/device.ts'
import type { PlatformDb } from '../devices/device-state-store.ts'
import { createWorkQueue } from '../devices/work-queue.ts'
import type { DeviceLines } from '../mqtt/device-lines.ts'
import type { Message } from '../mqtt/mqtt-session.ts'
import type { Ingest } from '../values/ingest.ts'
import { createAlarmCommands } from './alarm-commands.ts'
import { AlarmIntake } from './alarm-intake.ts'
import { type AlarmSession, sessionKey } from './alarm-session.ts'

type Options = {
  db: Kysely<PlatformDb>
  alarms: Client<typeof alarmsContract>
  ingest: Ingest
  lines: DeviceLines
  now: () => Date
  log: FastifyBaseLogger
}
type Report = z.input<typeof alarmsContract.events.alarmReported.payload>
type Heard = { device: Device; message: Message; report: Report }

/** Transactions with alarms of different devices at a time. */
const atOnce = 4

/** Alarm messages of devices, and commands to them. */
export function createDeviceAlarms({ db, alarms, ingest, lines, now, log }: Options) {
  const intakes = new Map<string, AlarmIntake<Heard>>()
  /** Connection that a device has here, or had last, by the device's id. */
  const sessions = new Map<string, AlarmSession>()
  const queue = createWorkQueue(atOnce)
  const commands = createAlarmCommands({ alarms, ingest, lines, now, log, sessions })

  const write = (heard: readonly Heard[]) =>
    queue.run(() =>
      db.transaction().execute((tx) =>
        publishAll(
          tx,
          alarmsContract.events.alarmReported,
          heard.map(({ report }) => report),
        ),
      ),
    )
  const intakeOf = (device: Device) => {
    const known = intakes.get(device.id)
    if (known) return known
    const replaced = ({ message: { topic, payload } }: Heard, reason: string) =>
      void ingest.refuse(device, topic, payload, reason)
    const made = new AlarmIntake<Heard>({ write, replaced })
    intakes.set(device.id, made)
    return made
  }

  return {
    /** A connection of the device begins. */
    came(device: Device, session: AlarmSession) {
      sessions.set(device.id, session)
    },
    /** The device asks for its configuration: what it reports from now on, it knows in this connection. */
    asked(session: AlarmSession) {
      session.askedAt ??= now().getTime()
    },

    /** Takes an alarm message; ends when it is durable, or at once when it is refused. */
    async report(device: Device, message: Message, session: AlarmSession): Promise<void> {
      const certificate = sessionKey(session)
      const { topic, payload } = message
      const decoded = decodePayload(payload)
      const read = decoded.ok ? readAlarmMessage(decoded.v) : decoded
      const fault = read.ok
        ? (ingest.timeFault(read.alarm.startedAt) ?? ingest.timeFault(read.alarm.changedAt))
        : read.reason
      if (!read.ok || fault !== undefined) return ingest.refuse(device, topic, payload, fault ?? '')
      const { alarm } = read
      ingest.frame(device, { direction: 'received', topic, payload, ok: true, value: alarm.name })
      const heardAt = now().getTime()
      const report = { ...alarm, deviceId: device.id, heardAt, certificate }
      return intakeOf(device).add(alarm.name, { device, message, report })
    },

    /**
     * Sends the commands that wait for a device, if it is connected to this process. While alarms does not answer,
     * it is asked again: the device goes on meanwhile.
     */
    sendCommands: commands.send,

    /** Forgets a device that went for good. */
    drop(deviceId: string) {
      intakes.delete(deviceId)
      sessions.delete(deviceId)
    },
    close: commands.close,
  }
}
export type DeviceAlarms = ReturnType<typeof createDeviceAlarms>
