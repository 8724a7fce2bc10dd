import { type Kysely, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'
import type { Pending } from './action-effect.ts'

type Db = Kysely<AlarmsDb>

export type CommandRow = AlarmsDb['command']

/** Commands of alarms that wait for an answer of the device, by alarm. */
export async function pendingCommands(
  tx: Db,
  ids: readonly string[],
): Promise<Map<string, Pending>> {
  const rows = await tx
    .selectFrom('command')
    .select(['occurrence', 'command'])
    .where('occurrence', '=', sql<string>`any(${ids})`)
    .where('state', 'in', ['WAITING', 'SENT'])
    .execute()
  const byAlarm = Map.groupBy(rows, ({ occurrence }) => occurrence)
  return new Map([...byAlarm].map(([id, own]) => [id, new Set(own.map(({ command }) => command))]))
}

export async function insertCommands(tx: Db, rows: readonly CommandRow[]) {
  if (rows.length > 0)
    await sql`insert into alarms.command select * from jsonb_populate_recordset(
      null::alarms.command, ${JSON.stringify(rows)}::jsonb)`.execute(tx)
}

/** Commands that were not handed out yet, oldest first. */
export const waitingCommands = (tx: Db, deviceId: string): Promise<CommandRow[]> =>
  tx
    .selectFrom('command')
    .selectAll()
    .where('device_id', '=', deviceId)
    .where('state', '=', 'WAITING')
    .orderBy('asked_at')
    .orderBy('id')
    .execute()

/** Commands of one round at most. */
const mostOverdue = 500

/** Commands that were sent before a time and have no answer. */
export const overdueCommands = (tx: Db, sentBefore: Date): Promise<CommandRow[]> =>
  tx
    .selectFrom('command')
    .selectAll()
    .where('state', '=', 'SENT')
    .where('sent_at', '<=', sentBefore)
    .orderBy('sent_at')
    .orderBy('id')
    .limit(mostOverdue)
    .execute()

/** Changes the state of commands. */
export async function setCommands(
  tx: Db,
  commands: readonly Pick<CommandRow, 'id'>[],
  change: Partial<Pick<CommandRow, 'state' | 'sent_at'>>,
) {
  if (commands.length === 0) return
  const ids = commands.map(({ id }) => id)
  await tx
    .updateTable('command')
    .set(change)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}
