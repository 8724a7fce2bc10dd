import type { alarmsContract } from '@longreach/alarms/contract'
import { alarmCommandValue } from '@longreach/device-protocol/alarm-message'
import { encodeBson } from '@longreach/device-protocol/payload'
import { topicsOf } from '@longreach/device-protocol/topics'
import type { Client } from '@longreach/kit/client'
import type { FastifyBaseLogger } from 'fastify'
import { baseOf, type Device } from '../devices/device.ts'
import type { DeviceLines } from '../mqtt/device-lines.ts'
import type { Ingest } from '../values/ingest.ts'
import { type AlarmSession, sessionKey } from './alarm-session.ts'

type Options = {
  alarms: Client<typeof alarmsContract>
  ingest: Ingest
  lines: DeviceLines
  now: () => Date
  log: FastifyBaseLogger
  /** Connection that a device has here, or had last, by the device's id. */
  sessions: ReadonlyMap<string, AlarmSession>
}

/** Time in ms after which commands are asked for again when alarms did not answer. */
const againAfterMs = 2_000

const tooLate = 'a device went before its alarm command was sent'

/** Commands about alarms to devices that are connected to this process. */
export function createAlarmCommands({ alarms, ingest, lines, now, log, sessions }: Options) {
  const again = new Map<string, NodeJS.Timeout>()
  let isClosed = false

  const sendWaiting = async (device: Device) => {
    const session = sessions.get(device.id)
    if (session?.askedAt === undefined || !lines.endpoint?.isConnected(baseOf(device))) return
    const connectedMs = Math.max(0, now().getTime() - session.askedAt)
    const { commands, askAgainMs } = await alarms.takeCommands({
      params: { deviceId: device.id },
      body: { certificate: sessionKey(session), connectedMs },
    })
    if (askAgainMs !== undefined) askAgain(device, askAgainMs)
    if (sessions.get(device.id) !== session) {
      // It connected anew meanwhile, and may not know these alarms any more.
      if (commands.length > 0) log.warn({ device: device.id }, tooLate)
      return
    }
    const { alarmCommand: topic } = topicsOf(device.realm, device.id)
    for (const command of commands) {
      const t = now().getTime()
      const payload = encodeBson({ v: alarmCommandValue(command), t })
      const delivered = lines.endpoint.publish(baseOf(device), { topic, payload, qos: 1 })
      if (delivered > 0) ingest.frame(device, { direction: 'sent', topic, payload, ok: true })
      else log.warn({ device: device.id }, tooLate)
    }
  }

  const send = async (device: Device): Promise<void> => {
    try {
      await sendWaiting(device)
    } catch (error) {
      log.warn({ err: error, device: device.id }, 'alarm commands could not be asked for')
      askAgain(device, againAfterMs)
    }
  }

  const askAgain = (device: Device, afterMs: number) => {
    if (isClosed || again.has(device.id)) return
    const ask = () => {
      again.delete(device.id)
      void send(device)
    }
    again.set(device.id, setTimeout(ask, afterMs).unref())
  }

  return {
    send,
    close() {
      isClosed = true
      for (const timer of again.values()) clearTimeout(timer)
    },
  }
}
