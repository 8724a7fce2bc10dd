import { type Kysely, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { CoreDb } from '../database.ts'
import type { NewRole, RoleRule } from './role-contract.ts'

/** Insert a role and its rules; undefined when the name is taken in the organization. */
export async function insertRole(
  tx: Kysely<CoreDb>,
  organizationId: number,
  { rules, ...role }: NewRole & { owner: 'SYSTEM' | 'ORGANIZATION' },
  now: Date,
) {
  const made = await tx
    .insertInto('role')
    .values({ ...role, organization_id: organizationId, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(['organization_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made && rules.length > 0) {
    const rows = rules.map(({ resource, actions, deviceGroup }) => ({
      role_id: made.id,
      resource,
      actions: [...actions],
      device_group: deviceGroup,
    }))
    await tx.insertInto('role_rule').values(rows).execute()
  }
  return made?.id
}

/** Roles of one organization with their rules. */
export const selectRoles = (db: Kysely<CoreDb>, organizationId: number) =>
  db
    .selectFrom('role as r')
    .selectAll('r')
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('role_rule as rr')
          .select(['rr.resource', 'rr.actions', 'rr.device_group as deviceGroup'])
          .whereRef('rr.role_id', '=', 'r.id')
          .orderBy('rr.id'),
      )
        .$castTo<RoleRule[]>()
        .as('rules'),
    )
    .where('r.organization_id', '=', organizationId)

export type RoleRow = Awaited<ReturnType<ReturnType<typeof selectRoles>['executeTakeFirstOrThrow']>>

export type RoleQuestion = {
  name?: string | undefined
  search?: string | undefined
  type?: 'APPLICATION' | 'DEVICE' | undefined
  owners?: ('SYSTEM' | 'ORGANIZATION' | 'APPLICATION')[] | undefined
  userGroupId?: number | undefined
  page: number
  pageSize: number
}

/** One page of roles by id, and how many there are. */
export async function searchRoles(db: Kysely<CoreDb>, organizationId: number, asked: RoleQuestion) {
  const { name, search, type, owners, userGroupId } = asked
  let query = selectRoles(db, organizationId)
  if (name !== undefined) query = query.where('r.name', '=', name)
  if (type !== undefined) query = query.where('r.type', '=', type)
  if (owners !== undefined) query = query.where('r.owner', 'in', owners)
  if (search !== undefined) {
    query = query.where(sql<boolean>`strpos(lower(r.name || ' ' || r.label), lower(${search})) > 0`)
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
    .orderBy('r.id')
    .limit(asked.pageSize)
    .offset(asked.page * asked.pageSize)
    .execute()
  return { rows, total }
}

/** Roles of the organization by their ids; fewer when some are not there. */
export const rolesByIds = (db: Kysely<CoreDb>, organizationId: number, ids: readonly number[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : selectRoles(db, organizationId).where('r.id', 'in', ids).execute()

/** Roles that some groups of the organization carry. */
export const rolesOfGroups = (
  db: Kysely<CoreDb>,
  organizationId: number,
  groups: readonly number[],
) =>
  groups.length === 0
    ? Promise.resolve([])
    : selectRoles(db, organizationId)
        .where('r.id', 'in', (eb) =>
          eb.selectFrom('group_role as gr').select('gr.role_id').where('gr.group_id', 'in', groups),
        )
        .execute()

/** Delete a role that the organization made itself; its name comes back, or undefined. */
export const deleteRole = (db: Kysely<CoreDb>, organizationId: number, id: number) =>
  db
    .deleteFrom('role')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('owner', '=', 'ORGANIZATION')
    .returning('name')
    .executeTakeFirst()
