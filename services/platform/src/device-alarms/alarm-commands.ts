import type { alarmsContract } from '@longreach/alarms/contract'
import { alarmCommandValue } from '@longreach/device-protocol/alarm-message'
import { encodeBson } from '@longreach/device-protocol/payload'
import { topicsOf } from '@longreach/device-protocol/topics'
import type { Client } from '@longreach/kit/client'
import type { FastifyBaseLogger } from 'fastify'
import { baseOf, type Device } from '../devices/device.ts'
import type { DeviceLines } from '../mqtt/device-lines.ts'
import type { Ingest } from '../values/ingest.ts'

type Options = {
  alarms: Client<typeof alarmsContract>
  ingest: Ingest
  lines: DeviceLines
  now: () => Date
  log: FastifyBaseLogger
  /** Certificate of the session that a device has here, by the device's id. */
  certificates: ReadonlyMap<string, string>
}

/** Time in ms after which commands are asked for again when alarms did not answer. */
const againAfterMs = 2_000

/** Commands about alarms to devices that are connected to this process. */
export function createAlarmCommands({ alarms, ingest, lines, now, log, certificates }: Options) {
  const again = new Map<string, NodeJS.Timeout>()
  let isClosed = false

  const sendWaiting = async (device: Device) => {
    const certificate = certificates.get(device.id)
    if (certificate === undefined || !lines.endpoint?.isConnected(baseOf(device))) return
    const params = { deviceId: device.id }
    const { commands } = await alarms.takeCommands({ params, body: { certificate } })
    const { alarmCommand: topic } = topicsOf(device.realm, device.id)
    for (const command of commands) {
      const t = now().getTime()
      const payload = encodeBson({ v: alarmCommandValue(command), t })
      const delivered = lines.endpoint.publish(baseOf(device), { topic, payload, qos: 1 })
      if (delivered > 0) ingest.frame(device, { direction: 'sent', topic, payload, ok: true })
      else log.warn({ device: device.id }, 'a device went before its alarm command was sent')
    }
  }

  const send = async (device: Device): Promise<void> => {
    try {
      await sendWaiting(device)
    } catch (error) {
      log.warn({ err: error, device: device.id }, 'alarm commands could not be asked for')
      if (isClosed || again.has(device.id)) return
      const askAgain = () => {
        again.delete(device.id)
        void send(device)
      }
      again.set(device.id, setTimeout(askAgain, againAfterMs).unref())
    }
  }

  return {
    send,
    close() {
      isClosed = true
      for (const timer of again.values()) clearTimeout(timer)
    },
  }
}
