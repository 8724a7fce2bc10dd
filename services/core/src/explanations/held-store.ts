import type { HeldRole, Rule } from '@longreach/authorization/compile'
import type { RolePath } from '@longreach/authorization/path-grants'
import { type Kysely, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { CoreDb } from '../database.ts'

type Executor = Kysely<CoreDb>
type Labelled = { id: number; name: string; label: string }

/** A role that a person holds, named for people. */
export type Held = Omit<HeldRole, 'role' | 'group'> & {
  userId: number
  role: Labelled
  group: Labelled
  /** Private access keeps it out. */
  cut: boolean
}

/** Rules and paths of roles, by role. */
export async function contentsOfRoles(db: Executor, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, { rules: Rule[]; paths: RolePath[] }>()
  const rows = await db
    .selectFrom('role as r')
    .select('r.id')
    .select((eb) => [
      jsonArrayFrom(
        eb
          .selectFrom('role_rule as rr')
          .select(['rr.resource', 'rr.actions', 'rr.device_group as deviceGroup'])
          .select('rr.vpn_name as vpnName')
          .whereRef('rr.role_id', '=', 'r.id')
          .orderBy('rr.id'),
      ).as('rules'),
      jsonArrayFrom(
        eb
          .selectFrom('role_model_path as rp')
          .innerJoin('model_path as mp', 'mp.id', 'rp.model_path_id')
          .select(['mp.path', 'rp.may_read as read', 'rp.may_look_back as history'])
          .select('rp.may_write as write')
          .whereRef('rp.role_id', '=', 'r.id')
          .orderBy('mp.path'),
      ).as('paths'),
    ])
    .where('r.id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, rules, paths }) => [id, { rules, paths }]))
}

/** Every role that reaches these people in an organization, from it and from above. */
export async function rolesHeld(
  db: Executor,
  organizationId: number,
  users: readonly number[],
): Promise<Held[]> {
  if (users.length === 0) return []
  const rows = await db
    .selectFrom('organization_tree as t')
    .innerJoin('organization as o', 'o.id', 't.descendant')
    .innerJoin('organization as above', 'above.id', 't.ancestor')
    .innerJoin('group_member as gm', 'gm.organization_id', 't.ancestor')
    .innerJoin('user_group as g', 'g.id', 'gm.group_id')
    .innerJoin('group_role as gr', 'gr.group_id', 'gm.group_id')
    .innerJoin('role as r', 'r.id', 'gr.role_id')
    .select(['gm.user_id', 't.distance', 'above.resource_id', 'r.inherit', 'r.id as role'])
    .select(['r.name as roleName', 'r.label as roleLabel', 'g.id as group'])
    .select(['g.name as groupName', 'g.label as groupLabel'])
    .select(sql<boolean>`above.private_root is distinct from o.private_root`.as('cut'))
    .where('t.descendant', '=', organizationId)
    .where('gm.user_id', 'in', users)
    .where('r.enabled', '=', true)
    .where((eb) => eb.or([eb('t.distance', '=', 0), eb('r.inherit', '=', true)]))
    .orderBy('t.distance')
    .orderBy('r.id')
    .orderBy('g.id')
    .execute()
  const contents = await contentsOfRoles(db, [...new Set(rows.map(({ role }) => role))])
  return rows.map((row) => ({
    userId: row.user_id,
    role: { id: row.role, name: row.roleName, label: row.roleLabel },
    group: { id: row.group, name: row.groupName, label: row.groupLabel },
    organization: row.resource_id,
    distance: row.distance,
    inherit: row.inherit,
    cut: row.cut,
    ...(contents.get(row.role) ?? { rules: [], paths: [] }),
  }))
}

/** The security policies that restrict people in an organization: their own and their groups'. */
export const policiesInForce = (db: Executor, organizationId: number) =>
  db
    .selectFrom('organization_tree as t')
    .innerJoin('user_policy as up', 'up.organization_id', 't.ancestor')
    .select(['up.user_id as userId', 'up.policy_id as policyId'])
    .where('t.descendant', '=', organizationId)
    .union(
      db
        .selectFrom('organization_tree as t')
        .innerJoin('group_policy as gp', 'gp.organization_id', 't.ancestor')
        .innerJoin('group_member as gm', 'gm.group_id', 'gp.group_id')
        .innerJoin('membership as m', (join) =>
          join
            .onRef('m.user_id', '=', 'gm.user_id')
            .onRef('m.organization_id', '=', 'gm.organization_id'),
        )
        .select(['gm.user_id as userId', 'gp.policy_id as policyId'])
        .where('t.descendant', '=', organizationId)
        .where('m.group_policies_enabled', '=', true),
    )

/** The same with names, of some people. */
export const policiesHeld = (db: Executor, organizationId: number, users: readonly number[]) =>
  users.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom(policiesInForce(db, organizationId).as('f'))
        .innerJoin('security_policy as p', 'p.id', 'f.policyId')
        .select(['f.userId', 'p.id', 'p.name'])
        .where('f.userId', 'in', users)
        .orderBy('p.name')
        .orderBy('p.id')
        .execute()

/** Names of device groups, of this organization and of those above and below. */
export const namesOfPolicies = async (db: Executor, ids: readonly number[]) => {
  if (ids.length === 0) return new Map<number, string>()
  const rows = await db
    .selectFrom('security_policy')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
