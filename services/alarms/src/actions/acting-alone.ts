import type { Kysely } from 'kysely'
import type { AlarmsDb } from '../database.ts'
import { Edits } from '../occurrences/edits.ts'
import { isOpen, type Occurrence } from '../occurrences/occurrence.ts'
import { occurrencesById, writeEdits } from '../occurrences/occurrence-store.ts'
import { aloneFlags, kindOf, traceOf } from './action-effect.ts'
import { type CommandRow, setCommands } from './command-store.ts'

/** Reason for which the platform acts without the device. */
type Reason = 'unanswered' | 'device_restarted'

/** True while an alarm asks for what a command does. */
export const asksFor = (row: Occurrence, command: CommandRow['command']) =>
  isOpen(row) && (command === 'ack' ? row.ack_required : row.reset_required && !row.active)

/** Does what commands of locked devices were to do, as the devices do not answer them. */
export async function actAlone(
  tx: Kysely<AlarmsDb>,
  commands: readonly CommandRow[],
  { at, reason }: { at: Date; reason: Reason },
) {
  if (commands.length === 0) return
  await setCommands(tx, commands, { state: 'UNANSWERED' })
  const ids = commands.map(({ occurrence }) => occurrence)
  const edits = new Edits(await occurrencesById(tx, ids))
  const t = at.getTime()
  for (const { occurrence, command, by_user: by, comment } of commands) {
    const row = edits.get(occurrence)
    if (!row || !asksFor(row, command)) continue
    const patch = { ...aloneFlags(command), ...traceOf(command, { at, by, comment }) }
    edits.change(row, patch, { kind: kindOf[command], t, heard: t, by, comment, reason })
  }
  const publish = await writeEdits(tx, edits)
  await publish(tx)
}
