import { type Insertable, type Kysely, sql, type Updateable } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { CoreDb } from '../database.ts'
import type { RoleRule } from './role-contract.ts'
import { containsText } from '../search-text.ts'

export type RolePathRow = { modelPathId: number; read: boolean; history: boolean; write: boolean }
type RoleFacts = Pick<Insertable<CoreDb['role']>, 'name' | 'label' | 'description' | 'type'> &
  Pick<Updateable<CoreDb['role']>, 'enabled' | 'inherit' | 'default_star' | 'version'> & {
    owner: 'SYSTEM' | 'ORGANIZATION'
  }
type Contents = { rules: readonly RoleRule[]; paths?: readonly RolePathRow[] }
type Executor = Kysely<CoreDb>

/** Insert a role, its rules and paths; undefined when the name is taken in the organization. */
export async function insertRole(
  tx: Executor,
  organizationId: number,
  { paths = [], ...role }: RoleFacts & Contents,
  now: Date,
) {
  const [id] = await insertRoles(tx, organizationId, [role], now)
  if (id === undefined) return undefined
  await insertPaths(tx, organizationId, id, paths)
  return id
}

/** Insert roles with different names and their rules; answers the ids of those whose name was free. */
export async function insertRoles(
  tx: Executor,
  organizationId: number,
  roles: readonly (RoleFacts & Pick<Contents, 'rules'>)[],
  now: Date,
) {
  const owned = { organization_id: organizationId, created_at: now, updated_at: now }
  const rulesOf = new Map<string, readonly RoleRule[]>()
  const rows = roles.map(({ rules, ...facts }) => {
    rulesOf.set(facts.name, rules)
    return { ...facts, ...owned }
  })
  const made = await tx
    .insertInto('role')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['organization_id', 'name']).doNothing())
    .returning(['id', 'name'])
    .execute()
  await insertRules(
    tx,
    made.map(({ id, name }) => [id, rulesOf.get(name) ?? []]),
  )
  return made.map(({ id }) => id)
}

/** Change a role's own columns; false when another role has the name. */
export async function updateRole(
  tx: Executor,
  organizationId: number,
  id: number,
  change: Updateable<CoreDb['role']>,
) {
  const { name } = change
  if (typeof name === 'string') {
    const taken = await tx
      .selectFrom('role')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('name', '=', name)
      .where('id', '<>', id)
      .executeTakeFirst()
    if (taken) return false
  }
  await tx
    .updateTable('role')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
  return true
}

/** Put other rules in the place of a role's; those that stay keep their ids. */
export async function replaceRules(tx: Executor, roleId: number, rules: readonly RoleRule[]) {
  const rows = await tx.selectFrom('role_rule').selectAll().where('role_id', '=', roleId).execute()
  const keyOf = (rule: RoleRule) =>
    JSON.stringify([rule.resource, [...rule.actions], rule.deviceGroup, rule.vpnName])
  const wanted = new Map(rules.map((rule) => [keyOf(rule), rule]))
  const gone = rows.filter(({ resource, actions, device_group, vpn_name }) => {
    const key = JSON.stringify([resource, actions, device_group, vpn_name])
    return !wanted.delete(key)
  })
  const ids = gone.map(({ id }) => id)
  if (ids.length > 0) await tx.deleteFrom('role_rule').where('id', 'in', ids).execute()
  await insertRules(tx, [[roleId, [...wanted.values()]]])
}

async function insertRules(
  tx: Executor,
  rulesOfRoles: readonly (readonly [roleId: number, rules: readonly RoleRule[]])[],
) {
  const rows = rulesOfRoles.flatMap(([roleId, rules]) =>
    rules.map(({ resource, actions, deviceGroup, vpnName }) => ({
      role_id: roleId,
      resource,
      actions: [...actions],
      device_group: deviceGroup,
      vpn_name: vpnName,
    })),
  )
  if (rows.length > 0) await tx.insertInto('role_rule').values(rows).execute()
}

/** Put other paths in the place of a role's. */
export async function replacePaths(
  tx: Executor,
  organizationId: number,
  roleId: number,
  paths: readonly RolePathRow[],
) {
  await tx.deleteFrom('role_model_path').where('role_id', '=', roleId).execute()
  await insertPaths(tx, organizationId, roleId, paths)
}

async function insertPaths(
  tx: Executor,
  organizationId: number,
  roleId: number,
  paths: readonly RolePathRow[],
) {
  if (paths.length === 0) return
  const rows = paths.map(({ modelPathId, read, history, write }) => ({
    organization_id: organizationId,
    role_id: roleId,
    model_path_id: modelPathId,
    may_read: read,
    may_look_back: history,
    may_write: write,
  }))
  await tx.insertInto('role_model_path').values(rows).execute()
}

/** Roles of one organization with their rules and paths. */
const selectRoles = (db: Executor, organizationId: number) =>
  db
    .selectFrom('role as r')
    .selectAll('r')
    .select((eb) => [
      jsonArrayFrom(
        eb
          .selectFrom('role_rule as rr')
          .leftJoin('security_policy as p', 'p.id', 'rr.device_group')
          .select(['rr.id', 'rr.resource', 'rr.actions', 'p.name as groupName'])
          .select(['rr.device_group as deviceGroup', 'rr.vpn_name as vpnName'])
          .whereRef('rr.role_id', '=', 'r.id')
          .orderBy('rr.id'),
      )
        .$castTo<(RoleRule & { id: number; groupName: string | null })[]>()
        .as('rules'),
      jsonArrayFrom(
        eb
          .selectFrom('role_model_path as rp')
          .innerJoin('model_path as mp', 'mp.id', 'rp.model_path_id')
          .select(['mp.id', 'mp.path', 'rp.may_read as read'])
          .select(['rp.may_look_back as history', 'rp.may_write as write'])
          .whereRef('rp.role_id', '=', 'r.id')
          .orderBy('mp.path'),
      ).as('paths'),
    ])
    .where('r.organization_id', '=', organizationId)

export type RoleRow = Awaited<ReturnType<ReturnType<typeof selectRoles>['executeTakeFirstOrThrow']>>

type RoleQuestion = {
  name?: string | undefined
  search?: string | undefined
  type?: 'APPLICATION' | 'DEVICE' | undefined
  owners?: ('SYSTEM' | 'ORGANIZATION' | 'APPLICATION')[] | undefined
  userGroupId?: number | undefined
  page: number
  pageSize: number
}

/** One page of roles by id, and how many there are. */
export async function searchRoles(db: Executor, organizationId: number, asked: RoleQuestion) {
  const { name, search, type, owners, userGroupId } = asked
  let query = selectRoles(db, organizationId)
  if (name !== undefined) query = query.where('r.name', '=', name)
  if (type !== undefined) query = query.where('r.type', '=', type)
  if (owners !== undefined) query = query.where('r.owner', 'in', owners)
  if (search !== undefined) {
    query = query.where(containsText(sql`(r.name || ' ' || r.label)`, search))
  }
  if (userGroupId !== undefined) {
    query = query.where('r.id', 'in', (eb) =>
      eb.selectFrom('group_role as gr').select('gr.role_id').where('gr.group_id', '=', userGroupId),
    )
  }
  const { total } = await query
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await query
    .orderBy(sql`r.owner <> 'SYSTEM'`)
    .orderBy(sql`case when r.owner = 'SYSTEM' then r.id end`)
    .orderBy(sql`lower(r.label)`)
    .orderBy('r.id')
    .limit(asked.pageSize)
    .offset(asked.page * asked.pageSize)
    .execute()
  return { rows, total }
}

/** Roles of the organization by their ids; fewer when some are not there. */
export const rolesByIds = (db: Executor, organizationId: number, ids: readonly number[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : selectRoles(db, organizationId).where('r.id', 'in', ids).execute()

/** Roles that some groups of the organization carry. */
export const rolesOfGroups = (db: Executor, organizationId: number, groups: readonly number[]) =>
  groups.length === 0
    ? Promise.resolve([])
    : selectRoles(db, organizationId)
        .where('r.id', 'in', (eb) =>
          eb.selectFrom('group_role as gr').select('gr.role_id').where('gr.group_id', 'in', groups),
        )
        .execute()

/** Hold a role until the end of the transaction. */
export const lockRole = (tx: Executor, organizationId: number, id: number) =>
  tx
    .selectFrom('role')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const isRole = async (db: Executor, organizationId: number, nameOrId: string) => {
  const found = await db
    .selectFrom('role')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where((eb) =>
      /^\d{1,9}$/.test(nameOrId)
        ? eb.or([eb('name', '=', nameOrId), eb('id', '=', Number(nameOrId))])
        : eb('name', '=', nameOrId),
    )
    .executeTakeFirst()
  return found !== undefined
}

/** Number of people who have the role, and the groups that it is assigned to. */
export async function holdersOfRole(db: Executor, id: number) {
  const groups = await db
    .selectFrom('group_role as gr')
    .innerJoin('user_group as g', 'g.id', 'gr.group_id')
    .select(['g.id', 'g.label'])
    .where('gr.role_id', '=', id)
    .orderBy('g.label')
    .limit(20)
    .execute()
  const { people } = await db
    .selectFrom('group_role as gr')
    .innerJoin('group_member as gm', 'gm.group_id', 'gr.group_id')
    .select((eb) => eb.fn.count<number>('gm.user_id').distinct().as('people'))
    .where('gr.role_id', '=', id)
    .executeTakeFirstOrThrow()
  return { groups, people }
}

/** Delete a role that the organization made itself; its name comes back, or undefined. */
export const deleteRole = (db: Executor, organizationId: number, id: number) =>
  db
    .deleteFrom('role')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('owner', '=', 'ORGANIZATION')
    .returning('name')
    .executeTakeFirst()
