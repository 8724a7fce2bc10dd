import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely'
import { selectReachable } from '../access/access-store.ts'
import type { CoreDb } from '../database.ts'
import { containsText } from '../search-text.ts'

export type OrganizationRow = Selectable<CoreDb['organization']>
type Executor = Kysely<CoreDb>

/** Insert an organization below `parent` (null: a root); undefined when its resourceId was ever used. */
export async function insertOrganization(
  tx: Executor,
  {
    parent,
    ...given
  }: Omit<NewRow, 'realm' | 'resource_id' | 'parent'> & {
    parent: OrganizationRow | null
  },
) {
  const resourceId = parent === null ? given.name : `${parent.resource_id}.${given.name}`
  const made = await tx
    .insertInto('organization')
    .values({
      ...given,
      parent: parent?.id ?? null,
      realm: parent?.realm ?? given.name,
      resource_id: resourceId,
      private_root: parent?.private_root ?? null,
    })
    .onConflict((conflict) => conflict.column('resource_id').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!made) return undefined
  await tx
    .insertInto('organization_tree')
    .values({ descendant: made.id, ancestor: made.id, distance: 0 })
    .execute()
  await tx
    .insertInto('organization_tree')
    .columns(['descendant', 'ancestor', 'distance'])
    .expression((eb) =>
      eb
        .selectFrom('organization_tree')
        .select([
          sql<number>`${made.id}::int`.as('d'),
          'ancestor',
          sql<number>`distance + 1`.as('n'),
        ])
        .where('descendant', '=', parent?.id ?? 0),
    )
    .execute()
  return made
}
type NewRow = Pick<
  OrganizationRow,
  'name' | 'label' | 'realm' | 'resource_id' | 'parent' | 'created_at' | 'updated_at'
> &
  OrganizationFacts

/** Columns that are set when an organization is created and can be changed later. */
type OrganizationFacts = Partial<
  Pick<
    OrganizationRow,
    | 'hostname'
    | 'hostname_allowed'
    | 'data_enabled'
    | 'vpn_enabled'
    | 'vpn_otp_required'
    | 'ip_addresses_whitelist'
    | 'second_factor_required'
    | 'start_page'
    | 'private_access'
    | 'allow_disable_private_access'
    | 'store_enabled'
    | 'dealer'
  >
>

/** Lock an organization against change until the transaction ends. */
export const lockOrganization = (tx: Executor, id: number) =>
  tx
    .selectFrom('organization')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'ACTIVE')
    .forUpdate()
    .executeTakeFirst()

export const findOrganization = (db: Executor, id: number) =>
  db
    .selectFrom('organization')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'ACTIVE')
    .executeTakeFirst()

export const updateOrganization = (
  tx: Executor,
  id: number,
  change: OrganizationFacts & { label?: string; updated_at: Date },
) =>
  tx
    .updateTable('organization')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** The flags of an organization bind those below it: what is off above is off below. */
export const switchOffBelow = (tx: Executor, id: number, off: OrganizationFacts) =>
  tx
    .updateTable('organization')
    .set(off)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('organization_tree')
        .select('descendant')
        .where('ancestor', '=', id)
        .where('distance', '>', 0),
    )
    .execute()

/** Close an organization to rights from above, with all below it that were as open as it was; or open it again. */
export async function setPrivateRoot(tx: Executor, { id, parent }: OrganizationRow, on: boolean) {
  const above = tx
    .selectFrom('organization')
    .select('private_root')
    .where('id', '=', parent ?? 0)
  const below = tx.selectFrom('organization_tree').select('descendant').where('ancestor', '=', id)
  await tx
    .updateTable('organization')
    .set(({ val }) => ({ private_root: on ? val(id) : above }))
    .where('id', 'in', below)
    .where('private_root', 'is not distinct from', on ? above : id)
    .execute()
}

/** The organizations that a person is a member of, with the labels of the roles that hold for them there. */
export const listMemberships = (db: Executor, userId: number) =>
  db
    .selectFrom('organization as o')
    .innerJoin('membership as m', 'm.organization_id', 'o.id')
    .selectAll('o')
    .select((eb) => heldRoles(eb, userId).as('roles'))
    .where('m.user_id', '=', userId)
    .where('o.status', '=', 'ACTIVE')
    .orderBy('o.resource_id')
    .execute()

/** Given in the organization itself, or above and handed down, as far as private access lets them. */
const heldRoles = (
  eb: ExpressionBuilder<CoreDb & { o: CoreDb['organization'] }, 'o'>,
  userId: number,
) =>
  eb
    .selectFrom('organization_tree as t')
    .innerJoin('organization as above', 'above.id', 't.ancestor')
    .innerJoin('group_member as gm', 'gm.organization_id', 't.ancestor')
    .innerJoin('group_role as gr', 'gr.group_id', 'gm.group_id')
    .innerJoin('role as r', 'r.id', 'gr.role_id')
    .select(
      sql<string[]>`coalesce(array_agg(distinct coalesce(nullif(r.label, ''), r.name)), '{}')`.as(
        'roles',
      ),
    )
    .whereRef('t.descendant', '=', 'o.id')
    .whereRef('above.private_root', 'is not distinct from', 'o.private_root')
    .where('gm.user_id', '=', userId)
    .where('r.enabled', '=', true)
    .where((one) => one.or([one('t.distance', '=', 0), one('r.inherit', '=', true)]))

type BelowQuestion = {
  /** Only organizations that this person is a member of. */
  member?: number | undefined
  userId: number
  organizationId: number
  name?: string | undefined
  search?: string | undefined
  hostname?: string | undefined
  onlyFirstLevel?: boolean | undefined
  includePrivateAccess?: boolean | undefined
  privateAccess?: boolean | undefined
  orderBy: 'resourceId' | 'name' | 'label'
  orderDir: string
  page: number
  pageSize: number
}

/** One page of the organizations below one that the person may enter, and how many there are. */
export async function searchBelow(db: Executor, asked: BelowQuestion) {
  const { userId, organizationId, name, search, hostname, privateAccess } = asked
  let query = db
    .selectFrom('organization as o')
    .innerJoin('organization_tree as t', 't.descendant', 'o.id')
    .where('t.ancestor', '=', organizationId)
    .where('t.distance', asked.onlyFirstLevel === true ? '=' : '>=', 1)
    .where('o.status', '=', 'ACTIVE')
    .where(
      'o.id',
      'in',
      selectReachable(db, userId, { includeClosed: asked.includePrivateAccess === true }),
    )
  if (name !== undefined) query = query.where('o.name', '=', name)
  if (asked.member !== undefined) {
    query = query.where('o.id', 'in', (eb) =>
      eb
        .selectFrom('membership')
        .select('organization_id')
        .where('user_id', '=', asked.member ?? 0),
    )
  }
  if (privateAccess !== undefined) query = query.where('o.private_access', '=', privateAccess)
  if (hostname !== undefined) query = query.where('o.hostname', '=', hostname.toLowerCase())
  if (search !== undefined) {
    query = query.where(containsText(sql`(o.label || ' ' || o.resource_id)`, search))
  }
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const direction = asked.orderDir.toLowerCase() === 'desc' ? 'desc' : 'asc'
  const column = asked.orderBy === 'resourceId' ? 'o.resource_id' : (`o.${asked.orderBy}` as const)
  const rows = await query
    .selectAll('o')
    .orderBy(column, direction)
    .orderBy('o.id')
    .limit(asked.pageSize)
    .offset(asked.page * asked.pageSize)
    .execute()
  return { rows, total }
}

/** Ids of those of these organizations that the person may enter. */
export async function findEnterable(db: Executor, userId: number, ids: readonly number[]) {
  if (ids.length === 0) return new Set<number>()
  const rows = await db
    .selectFrom(selectReachable(db, userId).as('r'))
    .select('r.id')
    .where('r.id', 'in', ids)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** The root organizations above those that a person is a member of. */
export const listRealms = (db: Executor, userId: number) =>
  db
    .selectFrom('membership as m')
    .innerJoin('organization_tree as t', 't.descendant', 'm.organization_id')
    .innerJoin('organization as o', 'o.id', 't.ancestor')
    .innerJoin('organization as own', 'own.id', 'm.organization_id')
    .select(['o.id', 'o.realm as name'])
    .distinct()
    .where('m.user_id', '=', userId)
    .where('o.parent', 'is', null)
    .where('o.status', '=', 'ACTIVE')
    .where('own.status', '=', 'ACTIVE')
    .orderBy('o.realm')
    .execute()

export const hasOrganization = async (db: Executor) =>
  (await db.selectFrom('organization').select('id').limit(1).executeTakeFirst()) !== undefined
