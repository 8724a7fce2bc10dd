import type { z } from 'zod'
import type { AlarmsDeps } from '../deps.ts'
import { lockDevices, occurrencesById } from '../occurrences/occurrence-store.ts'
import { actAlone, asksFor } from './acting-alone.ts'
import { type CommandRow, setCommands, waitingCommands } from './command-store.ts'
import type { Command } from './contract.ts'

type Asked = { params: { deviceId: string }; body: { certificate: string } }

/**
 * Hands commands to the process that the device is connected to. They are marked as sent before: a command
 * that was lost is not sent twice. Commands for an older certificate were for a program that ended, and
 * would end the present one; the platform acts alone.
 */
export const takeCommands =
  ({ db, now }: Pick<AlarmsDeps, 'db' | 'now'>) =>
  async ({ params: { deviceId }, body: { certificate } }: Asked) =>
    db.transaction().execute(async (tx) => {
      await lockDevices(tx, [deviceId])
      const waiting = await waitingCommands(tx, deviceId)
      const rows = await occurrencesById(
        tx,
        waiting.map(({ occurrence }) => occurrence),
      )
      const alarms = new Map(rows.map((row) => [row.id, row]))
      const isFor = (command: CommandRow) =>
        command.certificate === certificate &&
        alarms.get(command.occurrence)?.certificate === certificate
      const asked = waiting.filter(({ occurrence, command }) => {
        const alarm = alarms.get(occurrence)
        return alarm !== undefined && asksFor(alarm, command)
      })
      const sent = asked.filter(isFor)
      await setCommands(tx, sent, { state: 'SENT', sent_at: now() })
      const older = asked.filter((command) => !isFor(command))
      await actAlone(tx, older, { at: now(), reason: 'device_restarted' })
      await setCommands(
        tx,
        waiting.filter((command) => !asked.includes(command)),
        { state: 'DONE' },
      )
      return { commands: sent.map(toWire) }
    })

const toWire = (row: CommandRow): z.input<typeof Command> => ({
  id: row.id,
  deviceId: row.device_id,
  name: row.name,
  command: row.command,
  startedAt: row.started_at.getTime(),
  user: row.by_user,
  comment: row.comment,
  certificate: row.certificate,
})
