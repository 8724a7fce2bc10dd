import { type Kysely, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { CoreDb } from '../database.ts'
import { policiesInForce } from './held-store.ts'
import { containsText } from '../search-text.ts'

type Executor = Kysely<CoreDb>

const personColumns = [
  'u.id',
  'u.sub',
  'u.username',
  'u.first_name',
  'u.last_name',
  'u.service_account',
  'u.enabled',
] as const

/** A person who belongs to the organization, or whom a role from above brings in. */
export const findPersonHere = (db: Executor, organizationId: number, who: number | string) =>
  db
    .selectFrom('app_user as u')
    .select(personColumns)
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('membership as m')
            .select('m.user_id')
            .whereRef('m.user_id', '=', 'u.id')
            .where('m.organization_id', '=', organizationId),
        )
        .$castTo<boolean>()
        .as('member'),
    )
    .where((eb) => (typeof who === 'number' ? eb('u.id', '=', who) : eb('u.sub', '=', who)))
    .where((eb) =>
      eb.or([
        eb.exists(
          eb
            .selectFrom('membership as m')
            .select('m.user_id')
            .whereRef('m.user_id', '=', 'u.id')
            .where('m.organization_id', '=', organizationId),
        ),
        eb.exists(
          eb
            .selectFrom('organization_tree as t')
            .innerJoin('group_member as gm', 'gm.organization_id', 't.ancestor')
            .innerJoin('group_role as gr', 'gr.group_id', 'gm.group_id')
            .innerJoin('role as r', 'r.id', 'gr.role_id')
            .select('r.id')
            .whereRef('gm.user_id', '=', 'u.id')
            .where('t.descendant', '=', organizationId)
            .where('r.inherit', '=', true)
            .where('r.enabled', '=', true),
        ),
      ]),
    )
    .executeTakeFirst()

export type PersonRow = NonNullable<Awaited<ReturnType<typeof findPersonHere>>>

type DeviceQuestion = {
  organizationId: number
  groups: readonly number[]
  search?: string | undefined
  page: number
  pageSize: number
}

/** One page of the people who may do anything on a device that is in these groups, by user name. */
export async function peopleOnDevice(db: Executor, asked: DeviceQuestion) {
  const { organizationId, groups, search, page, pageSize } = asked
  const force = policiesInForce(db, organizationId)
  let query = db
    .selectFrom('app_user as u')
    .where('u.enabled', '=', true)
    .where('u.id', 'in', (eb) =>
      eb
        .selectFrom('organization_tree as t')
        .innerJoin('organization as o', 'o.id', 't.descendant')
        .innerJoin('organization as above', 'above.id', 't.ancestor')
        .innerJoin('group_member as gm', 'gm.organization_id', 't.ancestor')
        .innerJoin('group_role as gr', 'gr.group_id', 'gm.group_id')
        .innerJoin('role as r', 'r.id', 'gr.role_id')
        .innerJoin('role_rule as rr', 'rr.role_id', 'r.id')
        .select('gm.user_id')
        .where('t.descendant', '=', organizationId)
        .where('r.enabled', '=', true)
        .where('rr.resource', '=', 'devices')
        .where(({ or, eb: on }) => or([on('t.distance', '=', 0), on('r.inherit', '=', true)]))
        .where(sql<boolean>`above.private_root is not distinct from o.private_root`)
        .where(sql<boolean>`(rr.device_group is null or rr.device_group = any(${groups}::int[]))`),
    )
    .where(({ or, not, exists, selectFrom }) =>
      or([
        not(exists(selectFrom(force.as('f')).select('f.userId').whereRef('f.userId', '=', 'u.id'))),
        exists(
          selectFrom(force.as('f'))
            .select('f.userId')
            .whereRef('f.userId', '=', 'u.id')
            .where(sql<boolean>`f."policyId" = any(${groups}::int[])`),
        ),
      ]),
    )
  if (search !== undefined) {
    query = query.where(
      containsText(sql`concat_ws(' ', u.username, u.first_name, u.last_name)`, search),
    )
  }
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await query
    .select(personColumns)
    .orderBy('u.username')
    .orderBy('u.id')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute()
  return { rows, total }
}

/** One page of the people who have a role, and how many there are. */
export async function peopleWithRole(
  db: Executor,
  role: number,
  { page, pageSize }: { page: number; pageSize: number },
) {
  const query = db
    .selectFrom('app_user as u')
    .where('u.id', 'in', (eb) =>
      eb
        .selectFrom('group_role as gr')
        .innerJoin('group_member as gm', 'gm.group_id', 'gr.group_id')
        .select('gm.user_id')
        .where('gr.role_id', '=', role),
    )
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await query
    .select(personColumns)
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('group_role as gr')
          .innerJoin('group_member as gm', 'gm.group_id', 'gr.group_id')
          .innerJoin('user_group as g', 'g.id', 'gr.group_id')
          .select(['g.id', 'g.name', 'g.label'])
          .whereRef('gm.user_id', '=', 'u.id')
          .where('gr.role_id', '=', role)
          .orderBy('g.label'),
      ).as('groups'),
    )
    .orderBy('u.username')
    .orderBy('u.id')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute()
  return { rows, total }
}

/** The groups that carry a role, and how many people are in each. */
export const groupsWithRole = (db: Executor, role: number) =>
  db
    .selectFrom('group_role as gr')
    .innerJoin('user_group as g', 'g.id', 'gr.group_id')
    .leftJoin('group_member as gm', 'gm.group_id', 'g.id')
    .select(['g.id', 'g.name', 'g.label', 'g.type'])
    .select((eb) => eb.fn.count<number>('gm.user_id').as('people'))
    .where('gr.role_id', '=', role)
    .groupBy(['g.id', 'g.name', 'g.label', 'g.type'])
    .orderBy('g.label')
    .limit(1_000)
    .execute()

/** Number of people with a ready-made role of this name in organizations below that are not closed to the caller. */
export async function peopleWithRoleBelow(
  db: Executor,
  organizationId: number,
  { name, closed }: { name: string; closed: readonly string[] },
) {
  const { rows } = await sql<{ total: number }>`
    select count(distinct gm.user_id)::int as total
    from core.organization_tree t
    join core.organization o on o.id = t.descendant and o.status <> 'DELETING'
    join core.role r on r.organization_id = o.id and r.name = ${name} and r.owner = 'SYSTEM'
    join core.group_role gr on gr.role_id = r.id
    join core.group_member gm on gm.group_id = gr.group_id
    where t.ancestor = ${organizationId} and t.distance > 0
      and not exists (select from unnest(${[...closed]}::text[]) one
        where o.resource_id = one or starts_with(o.resource_id, one || '.'))`.execute(db)
  return rows[0]?.total ?? 0
}
