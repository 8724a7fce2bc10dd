import type { HeldRole } from '@longreach/authorization/compile'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { CoreDb } from '../database.ts'
import { administeringRoles } from './administering-rules.ts'

/** A person and an organization, and everything that decides what the one may do in the other. */
export type Standing = {
  id: number
  resource_id: string
  name: string
  label: string
  realm: string
  data_enabled: boolean
  vpn_enabled: boolean
  /** Of the nearest organization at or above that names some. */
  allowed_addresses: string[] | null
  second_factor_required: boolean
  member: boolean
  /**
   * resourceIds of organizations below that nobody enters from here: with private access, or deleted and not purged
   * yet. What is inside of them is not named.
   */
  closed: string[]
  roles: HeldRole[]
  policies: number[]
}

const standingOf = (where: string, who = 'u.enabled') => `
  select o.id, o.resource_id, o.name, o.label, o.realm, o.data_enabled, o.vpn_enabled,
    (select a.ip_addresses_whitelist
      from core.organization_tree t join core.organization a on a.id = t.ancestor
      where t.descendant = o.id and cardinality(a.ip_addresses_whitelist) > 0
      order by t.distance limit 1) as allowed_addresses,
    exists (select
      from core.organization_tree t join core.organization a on a.id = t.ancestor
      where t.descendant = o.id and a.second_factor_required) as second_factor_required,
    exists (select from core.membership m
      where m.user_id = u.id and m.organization_id = o.id) as member,
    coalesce((
      select jsonb_agg(door.resource_id order by door.resource_id)
      from core.organization door join core.organization outside on outside.id = door.parent
      where door.resource_id like o.resource_id || '.%'
        and ((door.private_access and outside.private_root is not distinct from o.private_root)
          or (door.status = 'DELETING' and outside.status = 'ACTIVE'))), '[]') as closed,
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'role', jsonb_build_object('id', r.id, 'name', r.name),
        'group', jsonb_build_object('id', g.id, 'name', g.name),
        'organization', above.resource_id, 'distance', t.distance, 'inherit', r.inherit,
        'rules', coalesce((
          select jsonb_agg(jsonb_build_object(
            'resource', rr.resource, 'actions', rr.actions, 'deviceGroup', rr.device_group,
            'vpnName', rr.vpn_name) order by rr.id)
          from core.role_rule rr where rr.role_id = r.id), '[]'),
        'paths', coalesce((
          select jsonb_agg(jsonb_build_object('path', mp.path, 'read', rp.may_read,
            'history', rp.may_look_back, 'write', rp.may_write) order by mp.path)
          from core.role_model_path rp join core.model_path mp on mp.id = rp.model_path_id
          where rp.role_id = r.id), '[]')) order by t.distance, r.id)
      from core.organization_tree t
      join core.group_member gm on gm.organization_id = t.ancestor and gm.user_id = u.id
      join core.user_group g on g.id = gm.group_id
      join core.group_role gr on gr.group_id = gm.group_id
      join core.role r on r.id = gr.role_id and r.enabled and (t.distance = 0 or r.inherit)
      join core.organization above on above.id = t.ancestor
        and above.private_root is not distinct from o.private_root
      where t.descendant = o.id), '[]') as roles,
    coalesce((
      select jsonb_agg(distinct p.policy_id)
      from core.organization_tree t
      join (
        select up.organization_id, up.policy_id from core.user_policy up where up.user_id = u.id
        union
        select gp.organization_id, gp.policy_id
        from core.membership m
        join core.group_member gm
          on gm.organization_id = m.organization_id and gm.user_id = m.user_id
        join core.group_policy gp on gp.group_id = gm.group_id
        where m.user_id = u.id and m.group_policies_enabled
      ) p on p.organization_id = t.ancestor
      where t.descendant = o.id), '[]') as policies
  from core.app_user u, core.organization o
  where u.sub = $1 and ${who} and o.status = 'ACTIVE' and ${where}`

const byId = { name: 'core-standing-by-id', text: standingOf('o.id = $2') }
const byPath = { name: 'core-standing-by-path', text: standingOf('o.resource_id = $2') }
const byPaths = {
  name: 'core-standing-by-paths',
  text: `${standingOf('o.resource_id = any($2::text[])')} order by array_position($2::text[], o.resource_id)`,
}
const evenDisabled = {
  name: 'core-standing-even-disabled',
  text: standingOf('o.id = $2', 'true'),
}
const theOnly = {
  name: 'core-standing-only',
  text: standingOf(`o.id = coalesce(
    (select m.organization_id from core.membership m where m.user_id = u.id and m.home),
    (select min(m.organization_id) from core.membership m
      where m.user_id = u.id having count(*) = 1))`),
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const postgresInt = /^\d{1,9}$/

/**
 * One round trip, because every call of the product waits for it. `reference` is a number, a
 * resourceId, or absent for the only organization that the person is
 * a member of, or a service account's home.
 */
export async function findStanding(pool: Pool, sub: string, reference: string | undefined) {
  if (!uuid.test(sub)) return undefined
  const values = reference === undefined ? [sub] : [sub, reference]
  const query = reference === undefined ? theOnly : postgresInt.test(reference) ? byId : byPath
  const { rows } = await pool.query<Standing>({ ...query, values })
  return rows[0]
}

/** The same for several organizations by their resourceIds, in one round trip and in their order. */
export async function findStandings(pool: Pool, sub: string, paths: readonly string[]) {
  if (!uuid.test(sub) || paths.length === 0) return []
  const { rows } = await pool.query<Standing>({ ...byPaths, values: [sub, paths] })
  return rows
}

/** Rights that a person would have in an organization if their account were not disabled. */
export async function findStandingOfAnyone(pool: Pool, sub: string, organizationId: number) {
  const { rows } = await pool.query<Standing>({ ...evenDisabled, values: [sub, organizationId] })
  return rows[0]
}

/**
 * Ids of the organizations a person may enter: as a member, or through an inherited role from above.
 * With `includeClosed` also those closed to them by private access, but nothing inside of these.
 */
export const selectReachable = (
  db: Kysely<CoreDb>,
  userId: number,
  { includeClosed = false }: { includeClosed?: boolean } = {},
) =>
  db
    .selectFrom('membership as m')
    .select('m.organization_id as id')
    .where('m.user_id', '=', userId)
    .union(
      db
        .selectFrom('group_member as gm')
        .innerJoin('organization as a', 'a.id', 'gm.organization_id')
        .innerJoin('organization_tree as t', 't.ancestor', 'gm.organization_id')
        .innerJoin('organization as d', 'd.id', 't.descendant')
        .select('t.descendant as id')
        .where('gm.user_id', '=', userId)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('group_role as gr')
              .innerJoin('role as r', 'r.id', 'gr.role_id')
              .innerJoin('role_rule as rr', 'rr.role_id', 'r.id')
              .select('r.id')
              .whereRef('gr.group_id', '=', 'gm.group_id')
              .where('r.inherit', '=', true)
              .where('r.enabled', '=', true),
          ),
        )
        .where((eb) => {
          const open = eb('a.private_root', 'is not distinct from', eb.ref('d.private_root'))
          if (!includeClosed) return open
          const openAbove = eb
            .selectFrom('organization as p')
            .select('p.id')
            .whereRef('p.id', '=', 'd.parent')
            .where('p.private_root', 'is not distinct from', eb.ref('a.private_root'))
          return eb.or([open, eb.and([eb('d.private_access', '=', true), eb.exists(openAbove)])])
        }),
    )

/** Organizations that a person may ask a scope for, by resourceId. */
export const listReachable = (db: Kysely<CoreDb>, userId: number) =>
  db
    .selectFrom('organization as o')
    .select(['o.id', 'o.resource_id as resourceId', 'o.name'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('organization_tree as t')
            .innerJoin('organization as a', 'a.id', 't.ancestor')
            .select('a.id')
            .whereRef('t.descendant', '=', 'o.id')
            .where('a.second_factor_required', '=', true),
        )
        .$castTo<boolean>()
        .as('secondFactorRequired'),
    )
    .where('o.status', '=', 'ACTIVE')
    .where('o.id', 'in', selectReachable(db, userId))
    .orderBy('o.resource_id')
    .execute()

/** resourceId of the oldest root organization. */
export async function findFirstRoot(db: Kysely<CoreDb>) {
  const found = await db
    .selectFrom('organization')
    .select('resource_id')
    .where('parent', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return found?.resource_id ?? null
}

/** People who own or administer a root organization. */
export const listOwners = (db: Kysely<CoreDb>) =>
  db
    .selectFrom('organization as o')
    .innerJoin('group_member as gm', 'gm.organization_id', 'o.id')
    .innerJoin('group_role as gr', 'gr.group_id', 'gm.group_id')
    .innerJoin('role as r', 'r.id', 'gr.role_id')
    .innerJoin('app_user as u', 'u.id', 'gm.user_id')
    .select(['u.sub', 'u.username', 'u.realm'])
    .distinct()
    .where('o.parent', 'is', null)
    .where('o.status', '=', 'ACTIVE')
    .where('r.name', 'in', administeringRoles)
    .where('r.owner', '=', 'SYSTEM')
    .orderBy('u.realm')
    .orderBy('u.username')
    .execute()
