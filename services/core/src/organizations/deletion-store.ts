import { type Kysely, sql } from 'kysely'
import type { CoreDb } from '../database.ts'

type Executor = Kysely<CoreDb>
type Counted = 'device' | 'api_key' | 'role' | 'user_group' | 'security_policy'

const namedAtMost = 10

const below = (db: Executor, id: number) =>
  db.selectFrom('organization_tree').select('descendant').where('ancestor', '=', id)

/** Numbers of what is deleted with an organization, including everything below it. */
export async function countDependencies(db: Executor, id: number) {
  const organizations = await db
    .selectFrom('organization')
    .select(['label', (eb) => eb.fn.countAll<number>().over().as('total')])
    .where('id', 'in', below(db, id))
    .where('id', '!=', id)
    .where('status', '=', 'ACTIVE')
    .orderBy('resource_id')
    .limit(namedAtMost)
    .execute()
  return {
    organizations: organizations[0]?.total ?? 0,
    named: organizations.map(({ label }) => label),
    devices: await countIn(db, 'device', id),
    keys: await countIn(db, 'api_key', id),
    roles: await countIn(db, 'role', id, sql<boolean>`owner <> 'SYSTEM'`),
    userGroups: await countIn(db, 'user_group', id, sql<boolean>`type = 'STANDARD'`),
    deviceGroups: await countIn(db, 'security_policy', id, sql<boolean>`type = 'STANDARD'`),
    ...(await countPeople(db, id)),
  }
}

async function countIn(db: Executor, table: Counted, id: number, where = sql<boolean>`true`) {
  const { count } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', 'in', below(db, id))
    .where(where)
    .executeTakeFirstOrThrow()
  return count
}

const selectMembersBelow = (db: Executor, id: number) =>
  db.selectFrom('membership').select('user_id').where('organization_id', 'in', below(db, id))

/** People who are in no organization outside of the one and those below it. */
export const peopleOnlyBelow = (db: Executor, id: number) =>
  db
    .selectFrom('app_user as u')
    .select(['u.id', 'u.sub'])
    .where('u.id', 'in', selectMembersBelow(db, id))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('membership as m')
            .select('m.user_id')
            .whereRef('m.user_id', '=', 'u.id')
            .where('m.organization_id', 'not in', below(db, id)),
        ),
      ),
    )

async function countPeople(db: Executor, id: number) {
  const people = await db
    .selectFrom(selectMembersBelow(db, id).distinct().as('m'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const accounts = await db
    .selectFrom(peopleOnlyBelow(db, id).as('u'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { people: people.count, accounts: accounts.count }
}

type Deletion = { id: number; by: string; now: Date }
/**
 * Mark an organization and everything below it as deleted; they answer which. Once more until nothing
 * is found: an organization may have been made below one of them a moment ago.
 */
export async function markDeleted(tx: Executor, { id, by, now }: Deletion) {
  const marked: { id: number; resource_id: string }[] = []
  for (;;) {
    const more = await tx
      .updateTable('organization')
      .set({ status: 'DELETING', deleted_at: now, deleted_by: by, deleted_with: id })
      .where('status', '=', 'ACTIVE')
      .where('id', 'in', below(tx, id))
      .returning(['id', 'resource_id'])
      .execute()
    if (more.length === 0) return marked
    marked.push(...more)
  }
}

/** Deleted organizations that can be restored, whose parent is the organization or below it. */
const restorable = (db: Executor, above: number) =>
  db
    .selectFrom('organization as o')
    .innerJoin('organization_tree as t', (join) =>
      join.onRef('t.descendant', '=', 'o.id').on('t.ancestor', '=', above),
    )
    .where('t.distance', '>', 0)
    .where('o.status', '=', 'DELETING')
    .whereRef('o.deleted_with', '=', 'o.id')

type DeletedQuestion = {
  above: number
  /** The caller's rights reach below: otherwise only what was directly here. */
  deep: boolean
  page: number
  pageSize: number
}

/** One page of restorable organizations, the last deleted first, and how many there are. */
export async function searchDeleted(db: Executor, asked: DeletedQuestion) {
  const { above, deep, page, pageSize } = asked
  let query = restorable(db, above)
  if (!deep) query = query.where('o.parent', '=', above)
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await query
    .selectAll('o')
    .select((eb) =>
      eb
        .selectFrom('organization as with')
        .select((count) => sql<number>`${count.fn.countAll()} - 1`.as('count'))
        .whereRef('with.deleted_with', '=', 'o.id')
        .where('with.status', '=', 'DELETING')
        .as('organizations'),
    )
    .orderBy('o.deleted_at', 'desc')
    .orderBy('o.id')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute()
  return { rows, total }
}

/** Lock a restorable organization below another one. */
export const lockDeleted = (tx: Executor, above: number, id: number) =>
  restorable(tx, above).selectAll('o').where('o.id', '=', id).forUpdate('o').executeTakeFirst()

/** Bring back everything that one deletion took; host names that others took meanwhile are lost. */
export async function markRestored(tx: Executor, id: number, now: Date) {
  const lost = await tx
    .updateTable('organization as o')
    .set({ hostname: null })
    .where('o.deleted_with', '=', id)
    .where('o.status', '=', 'DELETING')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('organization as other')
          .select('other.id')
          .where('other.status', '=', 'ACTIVE')
          .where(sql<boolean>`lower(other.hostname) = lower(o.hostname)`),
      ),
    )
    .returning('o.id')
    .execute()
  const restored = await tx
    .updateTable('organization')
    .set({
      status: 'ACTIVE',
      deleted_at: null,
      deleted_by: null,
      deleted_with: null,
      updated_at: now,
    })
    .where('deleted_with', '=', id)
    .where('status', '=', 'DELETING')
    .returning(['id', 'resource_id'])
    .execute()
  return { restored, lost: lost.length }
}
