import { type Kysely, sql } from 'kysely'
import type { CoreDb } from '../database.ts'
import type { GroupRow } from './group-store.ts'
import { containsText } from '../search-text.ts'

type Executor = Kysely<CoreDb>
type Type = GroupRow['type']

type GroupQuestion = {
  name?: string | undefined
  search?: string | undefined
  type: Type | 'SELF_USER_ANY' | 'ALL'
  userId?: number | undefined
  /** As it is stored. */
  username?: string | undefined
  roleId?: number | undefined
  adminOnly?: boolean | undefined
  orderDir: string
  page: number
  pageSize: number
}

/** Groups of one organization with what they carry. */
const groupsOf = (db: Executor, organizationId: number) =>
  db
    .selectFrom('user_group as g')
    .selectAll('g')
    .select([
      sql<number>`(select count(*) from core.group_member gm where gm.organization_id = g.organization_id
        and gm.group_id = g.id)`.as('member_count'),
      sql<number[]>`array(select gr.role_id from core.group_role gr
        where gr.group_id = g.id order by gr.role_id)`.as('roles'),
      sql<number[]>`array(select gp.policy_id from core.group_policy gp
        where gp.group_id = g.id order by gp.policy_id)`.as('policies'),
    ])
    .where('g.organization_id', '=', organizationId)

export type FullGroup = Awaited<ReturnType<ReturnType<typeof groupsOf>['executeTakeFirstOrThrow']>>

export const findFullGroup = (db: Executor, organizationId: number, id: number) =>
  groupsOf(db, organizationId).where('g.id', '=', id).executeTakeFirst()

/** One page of an organization's groups by name, and how many there are. */
export async function searchGroups(db: Executor, organizationId: number, asked: GroupQuestion) {
  const { total } = await narrowed(db, organizationId, asked)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const direction = asked.orderDir.toLowerCase() === 'desc' ? 'desc' : 'asc'
  const ids = narrowed(db, organizationId, asked)
    .select('g.id')
    .orderBy('g.name', direction)
    .orderBy('g.id', direction)
    .limit(asked.pageSize)
    .offset(asked.page * asked.pageSize)
  const rows = await groupsOf(db, organizationId)
    .select(partIn(asked))
    .where('g.id', 'in', ids)
    .orderBy('g.name', direction)
    .orderBy('g.id', direction)
    .execute()
  return { rows, total }
}

/** The part of the person asked about in the group. */
const partIn = ({ userId, username }: GroupQuestion) =>
  sql<'ADMIN' | 'USER' | null>`(select gm.role from core.group_member gm
    join core.app_user u on u.id = gm.user_id
    where gm.group_id = g.id and (u.id = ${userId ?? null}::int
      or (${userId ?? null}::int is null and u.username = ${username ?? null}))
    limit 1)`.as('part')

function narrowed(db: Executor, organizationId: number, asked: GroupQuestion) {
  const { name, search, roleId } = asked
  let query = db.selectFrom('user_group as g').where('g.organization_id', '=', organizationId)
  if (name !== undefined) query = query.where('g.name', '=', name)
  const types = typesOf(asked.type)
  if (types !== undefined) query = query.where('g.type', 'in', types)
  if (search !== undefined) {
    query = query.where(containsText(sql`g.label`, search))
  }
  if (roleId !== undefined) {
    query = query.where('g.id', 'in', (eb) =>
      eb.selectFrom('group_role as gr').select('gr.group_id').where('gr.role_id', '=', roleId),
    )
  }
  return ofPerson(query, asked)
}

const typesOf = (type: GroupQuestion['type']): Type[] | undefined => {
  if (type === 'ALL') return undefined
  return type === 'SELF_USER_ANY' ? ['SELF_USER', 'SELF_USER_SERVICE'] : [type]
}

function ofPerson<Q extends { where: (condition: ReturnType<typeof sql<boolean>>) => Q }>(
  query: Q,
  { userId, username, adminOnly }: GroupQuestion,
): Q {
  if (userId === undefined && username === undefined) return query
  const role = adminOnly === true ? sql`and gm.role = 'ADMIN'` : sql``
  const who =
    userId === undefined
      ? sql`u.username = ${username ?? ''}`
      : sql`u.id = ${userId} ${username === undefined ? sql`` : sql`and u.username = ${username}`}`
  return query.where(
    sql<boolean>`exists (select from core.group_member gm join core.app_user u on u.id = gm.user_id
      where gm.group_id = g.id and ${who} ${role})`,
  )
}
