import { isWithinSql, type Reach } from '@longreach/authorization/reach'
import { where } from '@longreach/kit/where'
import { type Kysely, sql } from 'kysely'
import type { Stopped, TriggerRow, TriggersDb } from '../database.ts'
import { savingContract } from './contract.ts'
import { publish } from '@longreach/kit/events'

type Db = Kysely<TriggersDb>

const within = (db: Db, reach: Reach) =>
  db
    .selectFrom('trigger')
    .selectAll()
    .where(where(isWithinSql(reach, 'org')))

type Asked = {
  page: number
  pageSize: number
  search?: string | undefined
  disabled?: boolean | undefined
  orderBy: 'name' | 'updatedAt'
  orderDir: 'asc' | 'desc'
}

/** Page of the triggers of a reach, and their number. */
export async function listTriggers(db: Db, reach: Reach, asked: Asked) {
  const { search, disabled, page, pageSize, orderBy, orderDir } = asked
  let query = within(db, reach)
  if (disabled !== undefined) query = query.where('disabled', '=', disabled)
  if (search !== undefined) {
    query = query.where(sql<boolean>`position(lower(${search}) in lower(name)) > 0`)
  }
  const order = orderBy === 'name' ? sql`lower(name)` : sql`updated_at`
  const [rows, { total }] = await Promise.all([
    query
      .orderBy(order, orderDir)
      .orderBy('id')
      .limit(pageSize)
      .offset(page * pageSize)
      .execute(),
    query
      .clearSelect()
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total }
}

export const findTrigger = (db: Db, reach: Reach, id: string) =>
  within(db, reach).where('id', '=', id).executeTakeFirst()

/** The same, held until the transaction ends. */
export const lockTrigger = (tx: Db, reach: Reach, id: string) =>
  within(tx, reach).where('id', '=', id).forUpdate().executeTakeFirst()

export async function countTriggers(db: Db, org: string) {
  const { total } = await db
    .selectFrom('trigger')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('org', '=', org)
    .executeTakeFirstOrThrow()
  return total
}

/** Triggers of an organization, of those above and of those below it: what may see the same devices. */
export const triggersAround = (db: Db, org: string) =>
  db
    .selectFrom('trigger')
    .selectAll()
    .where(
      sql<boolean>`org = any(${chainOf(org)}::text[]) or org like ${`${org.replaceAll(/[\\%_]/g, '\\$&')}.%`}`,
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** Insert or replace a trigger, and tell those who judge by it. */
export async function saveTrigger(tx: Db, row: TriggerRow) {
  const values = {
    ...row,
    data: JSON.stringify(row.data),
    stopped: row.stopped === null ? null : JSON.stringify(row.stopped),
  }
  await tx
    .insertInto('trigger')
    .values(values)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
  await tellChange(tx, row, false)
}

export async function deleteTrigger(tx: Db, row: TriggerRow) {
  await tx.deleteFrom('trigger').where('id', '=', row.id).execute()
  await tellChange(tx, row, true)
}

/** Stop a trigger: it judges nothing until it is resumed or saved. */
export async function stopTrigger(tx: Db, row: TriggerRow, stopped: Stopped) {
  await tx
    .updateTable('trigger')
    .set({ stopped: JSON.stringify(stopped) })
    .where('id', '=', row.id)
    .execute()
  await tx.deleteFrom('firing').where('trigger_id', '=', row.id).execute()
  await tellChange(tx, row, false)
}

const tellChange = (
  tx: Db,
  { id, org, below }: Pick<TriggerRow, 'id' | 'org' | 'below'>,
  isDeleted: boolean,
) =>
  publish(tx, savingContract.events.triggersChanged, {
    triggerId: id,
    orgResourceId: org,
    below,
    isDeleted,
  })

/** An organization and all above it, itself first. */
export const chainOf = (org: string) => {
  const parts = org.split('.')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('.'))
}

/** Triggers that may judge a device of an organization. */
export const triggersForOrganization = (db: Db, org: string) =>
  db
    .selectFrom('trigger')
    .selectAll()
    .where(sql<boolean>`org = any(${chainOf(org)}::text[])`)
    .where(sql<boolean>`(below or org = ${org})`)
    .where('disabled', '=', false)
    .where('stopped', 'is', null)
    .orderBy('id')
    .execute()
