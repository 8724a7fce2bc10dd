import type { z } from 'zod'
import type { AlarmsDeps } from '../deps.ts'
import { lockDevices, occurrencesById } from '../occurrences/occurrence-store.ts'
import { actAlone, asksFor } from './acting-alone.ts'
import { type CommandRow, setCommands, waitingCommands } from './command-store.ts'
import { answerMs } from './command-timeout.ts'
import type { Command } from './contract.ts'

type Asked = { params: { deviceId: string }; body: { certificate: string; connectedMs: number } }

/**
 * Hands commands to the process that the device is connected to. They are marked as sent before: a command
 * that was lost is not sent twice. Only alarms that the device has reported in this connection are named to it:
 * devices forget their alarms with the connection, and a command for one that they do not know may end their
 * program. Commands about others wait until the device has repeated the alarm; after 10 s, or at once where its
 * certificate is a new one, the platform acts alone.
 */
export const takeCommands =
  ({ db, now }: Pick<AlarmsDeps, 'db' | 'now'>) =>
  async ({ params: { deviceId }, body: { certificate, connectedMs } }: Asked) =>
    db.transaction().execute(async (tx) => {
      await lockDevices(tx, [deviceId])
      const waiting = await waitingCommands(tx, deviceId)
      const rows = await occurrencesById(
        tx,
        waiting.map(({ occurrence }) => occurrence),
      )
      const alarms = new Map(rows.map((row) => [row.id, row]))
      const isFor = ({ occurrence }: CommandRow) =>
        alarms.get(occurrence)?.certificate === certificate
      const mayCome = ({ occurrence }: CommandRow) =>
        connectedMs < answerMs &&
        serialOf(alarms.get(occurrence)?.certificate ?? '') === serialOf(certificate)
      const asked = waiting.filter(({ occurrence, command }) => {
        const alarm = alarms.get(occurrence)
        return alarm !== undefined && asksFor(alarm, command)
      })
      const sent = asked.filter(isFor)
      await setCommands(tx, sent, { state: 'SENT', sent_at: now() })
      const others = asked.filter((command) => !isFor(command))
      const older = others.filter((command) => !mayCome(command))
      await actAlone(tx, older, { at: now(), reason: 'device_restarted' })
      await setCommands(
        tx,
        waiting.filter((command) => !asked.includes(command)),
        { state: 'DONE' },
      )
      const commands = sent.map(toWire)
      return others.length > older.length
        ? { commands, askAgainMs: answerMs - connectedMs }
        : { commands }
    })

/** Serial number of the certificate of a connection. */
const serialOf = (connection: string) => connection.split('.')[0]

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
