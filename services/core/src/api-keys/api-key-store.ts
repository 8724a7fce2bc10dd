import { type Kysely, sql } from 'kysely'
import type { CoreDb } from '../database.ts'

type Executor = Kysely<CoreDb>

const keysWithOwner = (db: Executor) =>
  db
    .selectFrom('api_key as k')
    .innerJoin('app_user as u', 'u.id', 'k.user_id')
    .innerJoin('organization as o', 'o.id', 'k.organization_id')
    .selectAll('k')
    .select(['u.sub', 'u.username', 'u.realm', 'u.service_account', 'o.resource_id'])

export type ApiKeyRow = Awaited<
  ReturnType<ReturnType<typeof keysWithOwner>['executeTakeFirstOrThrow']>
>

export const findKey = (db: Executor, id: number) =>
  keysWithOwner(db).where('k.id', '=', id).executeTakeFirst()

export const findKeyIn = (db: Executor, organizationId: number, id: number) =>
  keysWithOwner(db)
    .where('k.organization_id', '=', organizationId)
    .where('k.id', '=', id)
    .executeTakeFirst()

type Asked = {
  organizationId: number
  /** Only keys of this owner. */
  sub?: string | undefined
  username?: string | undefined
  page: number
  pageSize: number
}

/** One page of an organization's keys, newest first, and how many there are. */
export async function listKeys(db: Executor, asked: Asked) {
  const { organizationId, sub, username } = asked
  let query = keysWithOwner(db).where('k.organization_id', '=', organizationId)
  if (sub !== undefined) query = query.where('u.sub', '=', sub)
  if (username !== undefined) query = query.where('u.username', '=', username)
  const { total } = await query
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await query
    .orderBy('k.id', 'desc')
    .limit(asked.pageSize)
    .offset(asked.page * asked.pageSize)
    .execute()
  return { rows, total }
}

/** Hold the owner, so that keys made at once count each other. */
export const lockOwner = (tx: Executor, userId: number) =>
  tx.selectFrom('app_user').select('id').where('id', '=', userId).forUpdate().executeTakeFirst()

export async function countLiveKeys(
  tx: Executor,
  { organizationId, userId, now }: { organizationId: number; userId: number; now: Date },
) {
  const { count } = await tx
    .selectFrom('api_key')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return count
}

/** The id of the next key, which is part of the key's text. */
export async function nextKeyId(tx: Executor) {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('core.api_key', 'id'))::int as id`.execute(tx)
  return rows[0]?.id ?? 0
}

type FreshKey = {
  id: number
  organizationId: number
  userId: number
  label: string
  digest: Buffer
  permissions: string[]
  addresses: string[]
  createdAt: Date
  createdBy: string
  expiresAt: Date
}

export async function insertKey(tx: Executor, fresh: FreshKey) {
  const member = await tx
    .selectFrom('membership')
    .select('user_id')
    .where('organization_id', '=', fresh.organizationId)
    .where('user_id', '=', fresh.userId)
    .executeTakeFirst()
  await tx
    .insertInto('api_key')
    .values({
      id: fresh.id,
      organization_id: fresh.organizationId,
      user_id: fresh.userId,
      member_id: member?.user_id ?? null,
      label: fresh.label,
      digest: fresh.digest,
      permissions: fresh.permissions,
      addresses: fresh.addresses,
      created_at: fresh.createdAt,
      created_by: fresh.createdBy,
      expires_at: fresh.expiresAt,
    })
    .execute()
}

/** Let a key end no later than `at`. */
export const expireKey = (tx: Executor, id: number, at: Date) =>
  tx
    .updateTable('api_key')
    .set({ expires_at: at })
    .where('id', '=', id)
    .where('expires_at', '>', at)
    .execute()

export const deleteKey = (tx: Executor, organizationId: number, id: number) =>
  tx
    .deleteFrom('api_key')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()

/** Record the last use of a key and its address, at most once a minute for the same address. */
export const recordKeyUse = (
  db: Executor,
  id: number,
  { now, ip }: { now: Date; ip: string | null },
) =>
  db
    .updateTable('api_key')
    .set({ last_used_at: now, last_used_ip: ip })
    .where('id', '=', id)
    .where((where) =>
      where.or([
        where('last_used_at', 'is', null),
        where('last_used_at', '<', new Date(now.getTime() - 60_000)),
        where('last_used_ip', 'is distinct from', ip),
      ]),
    )
    .execute()

/** Steps down the tree from one organization to another at or below it; undefined when it is not there. */
export async function stepsDown(db: Executor, ancestor: number, reference: string) {
  const row = await db
    .selectFrom('organization_tree as t')
    .innerJoin('organization as o', 'o.id', 't.descendant')
    .select('t.distance')
    .where('t.ancestor', '=', ancestor)
    .where((where) =>
      /^\d{1,9}$/.test(reference)
        ? where('o.id', '=', Number(reference))
        : where('o.resource_id', '=', reference),
    )
    .executeTakeFirst()
  return row?.distance
}
