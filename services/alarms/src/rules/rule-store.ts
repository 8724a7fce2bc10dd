import type { SqlCondition } from '@longreach/authorization/sql-condition'
import { where } from '@longreach/kit/where'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'

type Db = Kysely<AlarmsDb>
export type RuleRow = Selectable<AlarmsDb['rule']>
type NewRule = Omit<RuleRow, 'rule' | 'deleted_at'> & { rule: object }

/** Conditions of the rules that a call may see, and of the devices whose alarms are counted. */
export type Seen = { rules: SqlCondition; devices: SqlCondition }

/** Filter of the list of rules; what is absent does not filter. */
type Wanted = {
  search?: string | undefined
  model?: string | undefined
  modelOrganization?: string | undefined
  deviceId?: string | undefined
  judged?: JudgedDevice | undefined
  enabled?: boolean | undefined
}
type Page = { page: number; pageSize: number }

const openOf = ({ devices }: Seen) =>
  sql<number>`(select count(*)::int from alarms.occurrence
    join alarms.device using (device_id)
    where occurrence.rule_id = rule.id and occurrence.open and not device.deleted and ${where(devices)})`

const rulesSeen = (db: Db, seen: Seen) =>
  db.selectFrom('rule').where('deleted_at', 'is', null).where(where(seen.rules))

/** Rules that a call may see, by name, with their open alarms. */
export async function listRules(db: Db, seen: Seen, wanted: Wanted, { page, pageSize }: Page) {
  let query = rulesSeen(db, seen)
  const { search, model, modelOrganization, deviceId, judged, enabled } = wanted
  if (search) query = query.where(sql<boolean>`strpos(lower(name), lower(${search})) > 0`)
  if (model) query = query.where('model', '=', model)
  if (modelOrganization) query = query.where('model_org', '=', modelOrganization)
  if (deviceId) query = query.where('device_id', '=', deviceId)
  if (judged) query = query.where(reaches(judged.chain)).where(isFor(judged))
  if (enabled !== undefined) query = query.where('enabled', '=', enabled)
  const [rows, total] = await Promise.all([
    query
      .selectAll('rule')
      .select(openOf(seen).as('open'))
      .orderBy(sql`lower(name)`)
      .orderBy('id')
      .limit(pageSize)
      .offset(page * pageSize)
      .execute(),
    query.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}

/** Rule that a call may see, with its open alarms. */
export const findRule = (db: Db, seen: Seen, id: string) =>
  rulesSeen(db, seen)
    .selectAll('rule')
    .select(openOf(seen).as('open'))
    .where('id', '=', id)
    .executeTakeFirst()

/** Rule that nobody else changes until the transaction ends. */
export const lockRule = (tx: Db, seen: Seen, id: string) =>
  rulesSeen(tx, seen).selectAll('rule').where('id', '=', id).forUpdate('rule').executeTakeFirst()

export const countRules = async (db: Db, org: string) => {
  const { count } = await db
    .selectFrom('rule')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('org', '=', org)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Rules of an organization in the order of their names. */
export const rulesOf = (db: Db, org: string) =>
  db
    .selectFrom('rule')
    .selectAll()
    .where('org', '=', org)
    .where('deleted_at', 'is', null)
    .orderBy(sql`lower(name)`)
    .execute()

/** Writes a new rule with its first version. */
export async function insertRule(tx: Db, row: NewRule) {
  const rule = JSON.stringify(row.rule)
  await tx
    .insertInto('rule')
    .values({ ...row, rule, deleted_at: null })
    .execute()
  await insertVersion(tx, row)
}

/** Writes a changed rule with its next version. */
export async function updateRule(tx: Db, row: NewRule) {
  const { id, org: _org, created_at: _created, rule, ...changed } = row
  await tx
    .updateTable('rule')
    .set({ ...changed, rule: JSON.stringify(rule) })
    .where('id', '=', id)
    .execute()
  await insertVersion(tx, row)
}

const insertVersion = (tx: Db, row: NewRule) =>
  tx
    .insertInto('rule_version')
    .values({
      rule_id: row.id,
      version: row.version,
      below: row.below,
      rule: JSON.stringify(row.rule),
      at: row.updated_at,
      by_user: row.updated_by,
    })
    .execute()

/** Marks a rule as deleted; alarms of it keep their texts. */
export const deleteRule = (tx: Db, id: string, at: Date) =>
  tx.updateTable('rule').set({ deleted_at: at }).where('id', '=', id).execute()

export const versionsOf = (db: Db, id: string) =>
  db
    .selectFrom('rule_version')
    .selectAll()
    .where('rule_id', '=', id)
    .orderBy('version', 'desc')
    .execute()

/** Deletes rules of organizations that will not come back. */
export const purgeRules = (tx: Db, orgs: readonly string[]) =>
  tx
    .deleteFrom('rule')
    .where('org', '=', sql<string>`any(${orgs}::text[])`)
    .execute()

/**
 * Enabled rules for a device of an organization and those above it, with what is different on the device.
 * Of organizations above only those that reach down.
 */
export const rulesForDevice = (db: Db, device: JudgedDevice) =>
  db
    .selectFrom('rule')
    .leftJoin('rule_override', (join) =>
      join
        .onRef('rule_override.rule_id', '=', 'rule.id')
        .on('rule_override.device_id', '=', device.deviceId),
    )
    .select(['rule.id', 'rule.org', 'rule.version', 'rule.rule', 'rule_override.settings'])
    .where('rule.deleted_at', 'is', null)
    .where('rule.enabled', '=', true)
    .where(reaches(device.chain))
    .where(isFor(device))
    .orderBy('rule.id')
    .execute()

/** Device by what its rules are found: the organizations from its own up, and its model. */
export type JudgedDevice = {
  deviceId: string
  chain: readonly string[]
  /** Name with which its paths begin. */
  model?: string | undefined
  /** Organization that has the model; undefined means any model of the name. */
  modelOrganization?: string | undefined
}

/** True for rules of an organization, and for those above it that reach down. */
const reaches = (chain: readonly string[]) =>
  sql<boolean>`(rule.org = any(${chain}::text[]) and (rule.below or rule.org = ${chain[0]}))`

/** True for a rule of a device or of its model. */
const isFor = ({ deviceId, model, modelOrganization }: JudgedDevice) =>
  sql<boolean>`(rule.device_id = ${deviceId} or (rule.model = ${model ?? null}::text
    and (rule.model_org = ${modelOrganization ?? null}::text or ${modelOrganization === undefined})))`
