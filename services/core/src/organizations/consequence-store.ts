import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { CoreDb } from '../database.ts'

type Executor = Kysely<CoreDb>
/** Total number, with the names of the first few. */
export type Affected = { count: number; names: string[] }

const namedAtMost = 5
/** More steps than a resourceId of 500 characters has. */
const deepest = 500

/** Count what a query finds, each name once. */
async function affected(db: Executor, found: RawBuilder<unknown>): Promise<Affected> {
  const { rows } = await sql<Affected>`
    with found as (${found})
    select count(distinct id)::int as count,
      coalesce((array_agg(distinct name))[1:${sql.lit(namedAtMost)}], '{}') as names
    from found`.execute(db)
  return rows[0] ?? { count: 0, names: [] }
}

const belowSql = (id: number) =>
  sql`(select descendant from core.organization_tree where ancestor = ${id})`

/** People with a right on one of the resources, through a role here, below, or from above. */
export const peopleWithRightOn = (db: Executor, id: number, resources: readonly string[]) =>
  affected(
    db,
    sql`select u.id, u.username as name
      from core.app_user u
      join core.group_member gm on gm.user_id = u.id
      join core.group_role gr on gr.group_id = gm.group_id
      join core.role r on r.id = gr.role_id and r.enabled
      join core.role_rule rr on rr.role_id = r.id and rr.resource = any(${resources}::text[])
      where u.enabled and (gm.organization_id in ${belowSql(id)} or (r.inherit and gm.organization_id in (
        select t.ancestor from core.organization_tree t
        join core.organization a on a.id = t.ancestor
        join core.organization o on o.id = t.descendant
        where t.descendant = ${id} and a.private_root is not distinct from o.private_root)))`,
  )

export const devicesBelow = (db: Executor, id: number) =>
  affected(
    db,
    sql`select id, label as name from core.device where organization_id in ${belowSql(id)}`,
  )

/** Organizations below that have a flag now. */
export const organizationsBelowWith = (db: Executor, id: number, column: string) =>
  affected(
    db,
    sql`select o.id, o.label as name from core.organization o
      join core.organization_tree t on t.descendant = o.id
      where t.ancestor = ${id} and t.distance > 0 and o.status = 'ACTIVE' and o.${sql.ref(column)}`,
  )

/**
 * People whose rights come down from the organizations above `id` that share this private root, and
 * who are no members of it.
 */
export const peopleFromAbove = (db: Executor, id: number, privateRoot: number | null) =>
  affected(
    db,
    sql`select u.id, u.username as name
      from core.organization_tree t
      join core.organization a on a.id = t.ancestor
        and a.private_root is not distinct from ${privateRoot}::int
      join core.group_member gm on gm.organization_id = t.ancestor
      join core.group_role gr on gr.group_id = gm.group_id
      join core.role r on r.id = gr.role_id and r.enabled and r.inherit
      join core.app_user u on u.id = gm.user_id and u.enabled
      where t.descendant = ${id} and t.distance > 0 and not exists (
        select from core.membership m where m.user_id = u.id and m.organization_id = ${id})`,
  )

export const membersBelow = (db: Executor, id: number) =>
  affected(
    db,
    sql`select u.id, u.username as name from core.app_user u
      join core.membership m on m.user_id = u.id
      where u.enabled and m.organization_id in ${belowSql(id)}`,
  )

export const keysBelow = (db: Executor, id: number) =>
  affected(
    db,
    sql`select id, label as name from core.api_key where organization_id in ${belowSql(id)}`,
  )

/** The people (no programs) of an organization, or with those below it. */
export const personsBelow = (db: Executor, id: number, deep: boolean) =>
  db
    .selectFrom('app_user as u')
    .select(['u.id', 'u.sub', 'u.username', 'u.email'])
    .where('u.enabled', '=', true)
    .where('u.service_account', '=', false)
    .where('u.id', 'in', (eb) =>
      eb
        .selectFrom('membership as m')
        .innerJoin('organization_tree as t', 't.descendant', 'm.organization_id')
        .select('m.user_id')
        .where('t.ancestor', '=', id)
        .where('t.distance', '<=', deep ? deepest : 0),
    )
    .orderBy('u.username')
    .execute()

/** Rules of access of an organization and of those above it, nearest first. */
export const accessRulesAbove = (db: Executor, id: number) =>
  db
    .selectFrom('organization_tree as t')
    .innerJoin('organization as a', 'a.id', 't.ancestor')
    .select([
      'a.id',
      'a.resource_id as resourceId',
      'a.ip_addresses_whitelist as addresses',
      'a.second_factor_required as secondFactor',
      'a.private_access as isPrivate',
      't.distance',
    ])
    .where('t.descendant', '=', id)
    .orderBy('t.distance')
    .execute()

/** Is there a member who may change the organization and its people by a role of its own? */
export const hasAdministrator = async (db: Executor, id: number) => {
  const { rows } = await sql`
    select from core.group_member gm
    join core.app_user u on u.id = gm.user_id and u.enabled
    join core.group_role gr on gr.group_id = gm.group_id
    join core.role r on r.id = gr.role_id and r.enabled
    where gm.organization_id = ${id}
      and exists (select from core.role_rule rr
        where rr.role_id = r.id and rr.resource = 'organizations' and 'update' = any(rr.actions))
      and exists (select from core.role_rule rr
        where rr.role_id = r.id and rr.resource = 'users' and 'update' = any(rr.actions))
    limit 1`.execute(db)
  return rows.length > 0
}
