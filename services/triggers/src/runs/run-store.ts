import { isWithinSql, type Reach } from '@longreach/authorization/reach'
import { type DeviceColumns, inSightSql } from '@longreach/authorization/device-visibility'
import { publish } from '@longreach/kit/events'
import type { OrgCtx } from '@longreach/kit/service'
import { where } from '@longreach/kit/where'
import { type Insertable, type Kysely, sql } from 'kysely'
import type { ChainLink, RunRow, TriggerRow, TriggersDb } from '../database.ts'
import { type Firing, firingsContract } from '../firing-contract.ts'
import { storableDate } from '../storable-date.ts'
import { runText } from './run-rules.ts'

type Db = Kysely<TriggersDb>

/** Action of a run that is inserted with it. */
export type NewAction = Omit<Insertable<TriggersDb['run_action']>, 'run_id'>

/** Runs of a kind that are kept for each trigger; failed ones by age. */
const mostKept = 50
const keptMs = 30 * 86_400_000

export type NewRun = {
  id: string
  trigger: TriggerRow
  firing: Firing
  at: Date
  kind: RunRow['kind']
  reason: string
  /** In words; empty: made from the firing. */
  text: string
  done: boolean
  chain: ChainLink[]
}

/** Inserts a run with its actions; older ones of its kind go, so that none pushes another kind out. */
export async function insertRun(tx: Db, run: NewRun, actions: readonly NewAction[]) {
  const { trigger, firing } = run
  await tx
    .insertInto('run')
    .values({
      id: run.id,
      trigger_id: trigger.id,
      trigger_name: trigger.name,
      version: trigger.version,
      org: trigger.org,
      device_id: firing.deviceId,
      device_label: firing.deviceLabel,
      device_org: firing.orgResourceId,
      device_groups: firing.groups,
      instance: firing.instance,
      kind: run.kind,
      reason: run.reason,
      text: run.text === '' ? runText(run.reason, firing) : run.text,
      owner_name: trigger.owner_name,
      fired_at: firing.t,
      at: run.at,
      done: run.done,
      inputs: JSON.stringify(firing.inputs),
      conditions: JSON.stringify(firing.conditions),
      chain: JSON.stringify(run.chain),
    })
    .execute()
  if (actions.length > 0) {
    await tx
      .insertInto('run_action')
      .values(actions.map((one) => ({ ...one, run_id: run.id })))
      .execute()
  }
  const waiting = actions.filter(({ type, state }) => type === 'WRITE' && state === 'WAITING')
  for (const deviceId of new Set(waiting.flatMap((one) => one.device_id ?? []))) {
    await publish(tx, firingsContract.events.writeWaiting, { deviceId })
  }
  if (run.kind !== 'failed') await trim(tx, trigger.id, run.kind)
}

/** Deletes runs of a kind beyond the last 50, as far as they have ended. */
const trim = (tx: Db, id: string, kind: string) =>
  sql`delete from triggers.run where done and id in (
    select id from triggers.run where trigger_id = ${id} and kind = ${kind}
    order by at desc, id desc offset ${mostKept})`.execute(tx)

/** Deletes failed runs of more than 30 days ago, and what no run needs any more. */
export async function cleanupRuns(db: Db, now: Date) {
  const before = new Date(now.getTime() - keptMs)
  await db.deleteFrom('run').where('at', '<', before).execute()
  await db.deleteFrom('firing').where('created_at', '<', before).execute()
  await db
    .deleteFrom('written_path')
    .where('at', '<', new Date(now.getTime() - 3_600_000))
    .execute()
  await db.deleteFrom('throttle').where('until', '<', now).execute()
}

const columns: DeviceColumns = {
  organization: 'r.device_org',
  groups: ['r.device_groups && ', '::int[]'],
}

/** Runs of the triggers of a reach on devices that the caller may read. */
const visible = (db: Db, ctx: OrgCtx, reach: Reach) =>
  db
    .selectFrom('run as r')
    .where(where(isWithinSql(reach, 'r.org')))
    .where(where(inSightSql(ctx, 'read', columns)))

type Asked = {
  trigger?: string
  kind?: RunRow['kind'] | undefined
  deviceId?: string | undefined
  from?: number | undefined
  to?: number | undefined
  search?: string | undefined
  after?: { at: number; id: string } | undefined
  pageSize: number
}

/** Page of runs, newest first, with one row more than asked for where there are more. */
export async function listRuns(db: Db, ctx: OrgCtx, reach: Reach, asked: Asked): Promise<RunRow[]> {
  const { trigger, kind, deviceId, from, to, search, after, pageSize } = asked
  let query = visible(db, ctx, reach).selectAll('r')
  if (trigger !== undefined) query = query.where('r.trigger_id', '=', trigger)
  if (kind !== undefined) query = query.where('r.kind', '=', kind)
  if (deviceId !== undefined) query = query.where('r.device_id', '=', deviceId)
  if (from !== undefined) query = query.where('r.at', '>=', storableDate(from))
  if (to !== undefined) query = query.where('r.at', '<', storableDate(to))
  if (search !== undefined) {
    query = query.where(
      sql<boolean>`position(lower(${search}) in lower(r.trigger_name || ' ' || r.device_label)) > 0`,
    )
  }
  if (after) {
    query = query.where(
      sql<boolean>`(r.at, r.id) < (${new Date(after.at)}::timestamptz, ${after.id}::uuid)`,
    )
  }
  return query
    .orderBy('r.at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(pageSize + 1)
    .execute()
}

export const findRun = (db: Db, ctx: OrgCtx, reach: Reach, of: { trigger: string; run: string }) =>
  visible(db, ctx, reach)
    .selectAll('r')
    .where('r.id', '=', of.run)
    .where('r.trigger_id', '=', of.trigger)
    .executeTakeFirst()

/** Actions of runs, in their order. */
export const actionsOfRuns = (db: Db, runs: readonly string[]) =>
  runs.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('run_action')
        .selectAll()
        .where('run_id', 'in', [...runs])
        .orderBy('place')
        .execute()
