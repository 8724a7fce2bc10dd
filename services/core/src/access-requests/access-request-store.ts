import { type Kysely, sql } from 'kysely'
import type { CoreDb } from '../database.ts'
import { administeringRoles } from '../access/administering-rules.ts'

type Executor = Kysely<CoreDb>
const mostShown = 100
const mostTold = 10

type Asked = { organizationId: number; userId: number; note: string; now: Date }

/** Undefined when one waits already; it says the newer note then. */
export async function insertRequest(db: Executor, { organizationId, userId, note, now }: Asked) {
  const row = await db
    .insertInto('access_request')
    .values({ organization_id: organizationId, user_id: userId, note, created_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'user_id'])
        .where('status', '=', 'OPEN')
        .doUpdateSet({ note }),
    )
    .returning(['id', sql<boolean>`xmax = 0`.as('fresh')])
    .executeTakeFirstOrThrow()
  return row.fresh ? row.id : undefined
}

const waiting = (db: Executor, organizationId: number) =>
  db
    .selectFrom('access_request as a')
    .innerJoin('app_user as u', 'u.id', 'a.user_id')
    .where('a.organization_id', '=', organizationId)
    .where('a.status', '=', 'OPEN')
    .where('u.enabled', '=', true)

export const openRequests = (db: Executor, organizationId: number) =>
  waiting(db, organizationId)
    .leftJoin('membership as m', (join) =>
      join.onRef('m.user_id', '=', 'u.id').on('m.organization_id', '=', organizationId),
    )
    .select(['a.id', 'a.note', 'a.created_at', 'm.user_id as member'])
    .select(['u.username', 'u.first_name', 'u.last_name', 'u.email'])
    .orderBy('a.created_at')
    .orderBy('a.id')
    .limit(mostShown)
    .execute()

export async function countRequests(db: Executor, organizationId: number) {
  const { count } = await waiting(db, organizationId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** The request, locked: two administrators may decide at the same moment. */
export const lockRequest = (tx: Executor, organizationId: number, id: number) =>
  tx
    .selectFrom('access_request')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

type Decision = { id: number; status: 'ACCEPTED' | 'DECLINED'; by: string; now: Date }

export const decideRequest = (tx: Executor, { id, status, by, now }: Decision) =>
  tx
    .updateTable('access_request')
    .set({ status, decided_at: now, decided_by: by })
    .where('id', '=', id)
    .execute()

/** People who administer an organization, the nearest first: its own, then those whose role reaches down. */
export async function administratorsOf(db: Executor, organizationId: number) {
  const { rows } = await sql<{ sub: string }>`
    select u.sub from core.organization o
    join core.organization_tree t on t.descendant = o.id
    join core.organization above on above.id = t.ancestor
      and above.private_root is not distinct from o.private_root
    join core.role r on r.organization_id = t.ancestor and r.name = any(${administeringRoles}::text[])
      and r.owner = 'SYSTEM' and r.enabled and (t.distance = 0 or r.inherit)
    join core.group_role gr on gr.role_id = r.id
    join core.group_member gm on gm.group_id = gr.group_id
    join core.app_user u on u.id = gm.user_id and u.enabled and not u.service_account
    where o.id = ${organizationId}
    group by u.sub order by min(t.distance), u.sub limit ${mostTold}`.execute(db)
  return rows.map(({ sub }) => sub)
}
