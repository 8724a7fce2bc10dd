import { randomUUID } from 'node:crypto'
import { type Kysely, type Selectable, sql } from 'kysely'
import { chainOf } from './retention-rules.ts'
import type { NewRule } from './storage-contract.ts'

type RuleTable = {
  id: string
  organization: string
  model: string
  path: string
  keep_days: number
  changed_at: Date
  changed_by: string
}
type RunTable = {
  id: number
  after_series: number
  started_at: Date | null
  finished_at: Date | null
  values_gone: number
  bytes_gone: number
  values_so_far: number
  bytes_so_far: number
}
export type RetentionDb = {
  retention_rule: RuleTable
  retention_run: RunTable
  device_state: {
    device_id: string
    org: string
    label: string
    groups: number[]
    deleted: boolean
  }
}
export type RuleRow = Selectable<RuleTable>

/** Rules of the organization and of all above it. */
export const rulesAbove = (db: Kysely<RetentionDb>, organization: string) =>
  db
    .selectFrom('retention_rule')
    .selectAll()
    .where('organization', 'in', chainOf(organization))
    .orderBy('organization')
    .orderBy('model')
    .orderBy('path')
    .execute()

/** Rules of the organization, of those above and of those below: all that have a say in what it holds. */
export const rulesAround = (db: Kysely<RetentionDb>, organization: string) =>
  db
    .selectFrom('retention_rule')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('organization', 'in', chainOf(organization)),
        eb(eb.fn('starts_with', ['organization', eb.val(`${organization}.`)]), '=', true),
      ]),
    )
    .execute()

export const everyRule = (db: Kysely<RetentionDb>) =>
  db.selectFrom('retention_rule').selectAll().execute()

type Author = { organization: string; by: string; at: Date }

/** The rule of an organization for these paths; locked, so that two who change it come one after the other. */
export const lockRule = (db: Kysely<RetentionDb>, organization: string, rule: NewRule) =>
  db
    .selectFrom('retention_rule')
    .selectAll()
    .where('organization', '=', organization)
    .where('model', '=', rule.model)
    .where('path', '=', rule.path)
    .forUpdate()
    .executeTakeFirst()

export const saveRule = (
  db: Kysely<RetentionDb>,
  { model, path, keepDays }: NewRule,
  { organization, by, at }: Author,
) => {
  const change = { keep_days: keepDays, changed_at: at, changed_by: by }
  return db
    .insertInto('retention_rule')
    .values({ id: randomUUID(), organization, model, path, ...change })
    .onConflict((conflict) =>
      conflict.columns(['organization', 'model', 'path']).doUpdateSet(change),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const deleteRule = (db: Kysely<RetentionDb>, organization: string, id: string) =>
  db
    .deleteFrom('retention_rule')
    .where('organization', '=', organization)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

export const countRules = async (db: Kysely<RetentionDb>, organization: string) => {
  const row = await db
    .selectFrom('retention_rule')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization', '=', organization)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Rules of organizations that are gone for good go with them. */
export const dropRules = (db: Kysely<RetentionDb>, organizations: readonly string[]) =>
  db
    .deleteFrom('retention_rule')
    .where(sql<boolean>`organization = any(${organizations}::text[])`)
    .execute()

/** Progress of the job, locked for this transaction; undefined while another process works. */
export const lockRun = (db: Kysely<RetentionDb>) =>
  db
    .selectFrom('retention_run')
    .selectAll()
    .where('id', '=', 1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

export const saveRun = (db: Kysely<RetentionDb>, change: Partial<RunTable>) =>
  db.updateTable('retention_run').set(change).where('id', '=', 1).execute()

export const lastRun = async (db: Kysely<RetentionDb>) =>
  (await db.selectFrom('retention_run').select('finished_at').executeTakeFirst())?.finished_at ??
  null

/** Devices of these ids that have stored values. */
export const devicesHolding = (db: Kysely<RetentionDb>, ids: readonly string[]) =>
  db
    .selectFrom('device_state')
    .select(['device_id', 'org', 'label', 'groups', 'deleted'])
    // One parameter, however many there are.
    .where(sql<boolean>`device_id = any(${ids}::text[])`)
    .execute()
