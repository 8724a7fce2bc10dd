import type { AgentAnswer, AgentHealth } from '@longreach/device-protocol/agent-wire'
import type { Kysely, Selectable } from 'kysely'

type AgentStateTable = {
  device_id: string
  health: unknown
  reported_at: Date
  clock_difference_ms: number
}
type AgentCommandTable = {
  id: string
  device_id: string
  org: string
  command: string
  asked_by: string
  asked_at: Date
  answered_at: Date | null
  result: unknown
  error: unknown
}
export type AgentDb = { agent_state: AgentStateTable; agent_command: AgentCommandTable }
export type AgentCommandRow = Selectable<AgentCommandTable>

const dayMs = 24 * 60 * 60 * 1_000

type HealthReport = { deviceId: string; health: AgentHealth; now: Date }

export const saveHealth = (db: Kysely<AgentDb>, { deviceId, health, now }: HealthReport) => {
  const facts = {
    health: JSON.stringify(health),
    reported_at: now,
    clock_difference_ms: Math.round(health.at - now.getTime()),
  }
  return db
    .insertInto('agent_state')
    .values({ device_id: deviceId, ...facts })
    .onConflict((conflict) => conflict.column('device_id').doUpdateSet(facts))
    .execute()
}

export const healthOf = (db: Kysely<AgentDb>, deviceId: string) =>
  db.selectFrom('agent_state').selectAll().where('device_id', '=', deviceId).executeTakeFirst()

type NewCommand = Pick<AgentCommandRow, 'id' | 'device_id' | 'org' | 'command' | 'asked_by'> & {
  now: Date
}

/** Write the command down, once; false when there is one of this id. Old ones of the device go. */
export async function claimCommand(db: Kysely<AgentDb>, { now, ...command }: NewCommand) {
  await db
    .deleteFrom('agent_command')
    .where('device_id', '=', command.device_id)
    .where('asked_at', '<', new Date(now.getTime() - dayMs))
    .execute()
  const empty = { answered_at: null, result: null, error: null }
  const row = await db
    .insertInto('agent_command')
    .values({ ...command, ...empty, asked_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const forgetCommand = (db: Kysely<AgentDb>, id: string) =>
  db.deleteFrom('agent_command').where('id', '=', id).execute()

/** The command if it was given to this device of this organization. */
export const commandOf = (db: Kysely<AgentDb>, org: string, deviceId: string, id: string) =>
  db
    .selectFrom('agent_command')
    .selectAll()
    .where('id', '=', id)
    .where('device_id', '=', deviceId)
    .where('org', '=', org)
    .executeTakeFirst()

/** Saves the first answer; false when the device has no such command, or has answered it. */
export async function saveAnswer(
  db: Kysely<AgentDb>,
  deviceId: string,
  answer: AgentAnswer,
  now: Date,
) {
  const said = answer.ok
    ? { result: JSON.stringify(answer.result ?? {}) }
    : { error: JSON.stringify(answer.error) }
  const row = await db
    .updateTable('agent_command')
    .set({ answered_at: now, ...said })
    .where('id', '=', answer.id)
    .where('device_id', '=', deviceId)
    .where('answered_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const countWaiting = async (db: Kysely<AgentDb>, deviceId: string, since: Date) => {
  const { count } = await db
    .selectFrom('agent_command')
    .select((query) => query.fn.countAll<number>().as('count'))
    .where('device_id', '=', deviceId)
    .where('answered_at', 'is', null)
    .where('asked_at', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

export async function forgetAgent(db: Kysely<AgentDb>, deviceId: string) {
  await db.deleteFrom('agent_state').where('device_id', '=', deviceId).execute()
  await db.deleteFrom('agent_command').where('device_id', '=', deviceId).execute()
}

/** Commands given in the old organization are no business of the new one. */
export const forgetCommands = (db: Kysely<AgentDb>, deviceId: string) =>
  db.deleteFrom('agent_command').where('device_id', '=', deviceId).execute()
