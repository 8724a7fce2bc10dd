import { isWithinSql, type Reach } from '@longreach/authorization/reach'
import { where } from '@longreach/kit/where'
import { type Kysely, sql } from 'kysely'
import type { ChannelRow, NotificationsDb } from '../database.ts'
import { onlyUuids } from '../uuids.ts'

type Db = Kysely<NotificationsDb>

/** Channels of an organization by id. */
export async function channelsById(db: Db, org: string, ids: readonly string[]) {
  const known = onlyUuids(ids)
  if (known.length === 0) return []
  return db
    .selectFrom('channel')
    .selectAll()
    .where('org', '=', org)
    .where('id', 'in', known)
    .orderBy('id')
    .execute()
}

/** Channels of any organization by id, for messages that are sent. */
export const channelsOfIds = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('channel')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()

const channelsWithin = (db: Db, reach: Reach) =>
  db
    .selectFrom('channel')
    .selectAll()
    .where(where(isWithinSql(reach, 'org')))

export const listChannels = (db: Db, reach: Reach) =>
  channelsWithin(db, reach)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()

export const findChannel = (db: Db, reach: Reach, id: string) =>
  channelsWithin(db, reach).where('id', '=', id).executeTakeFirst()

/** The same, held until the transaction ends. */
export const lockChannel = (tx: Db, reach: Reach, id: string) =>
  channelsWithin(tx, reach).where('id', '=', id).forUpdate().executeTakeFirst()

export async function countChannels(db: Db, org: string) {
  const { total } = await db
    .selectFrom('channel')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('org', '=', org)
    .executeTakeFirstOrThrow()
  return total
}

/** Insert or replace a channel; undefined when its name is taken. */
export async function saveChannel(tx: Db, row: ChannelRow) {
  const taken = await tx
    .selectFrom('channel')
    .select('id')
    .where('org', '=', row.org)
    .where(sql<boolean>`lower(name) = lower(${row.name})`)
    .where('id', '<>', row.id)
    .executeTakeFirst()
  if (taken) return undefined
  const values = { ...row, config: JSON.stringify(row.config) }
  await tx
    .insertInto('channel')
    .values(values)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
  return row
}

export const deleteChannel = (tx: Db, id: string) =>
  tx.deleteFrom('channel').where('id', '=', id).execute()
