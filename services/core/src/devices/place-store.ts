import { can, canDevice } from '@longreach/authorization/can'
import type { Action } from '@longreach/authorization/permissions'
import type { OrgCtx } from '@longreach/kit/service'
import { type Kysely, sql } from 'kysely'
import type { CoreDb } from '../database.ts'
import { policiesByIds } from '../policies/policy-store.ts'
import { actionsOfPolicy } from '../policies/policy-use-store.ts'
import { containsText } from '../search-text.ts'

type Db = Kysely<CoreDb>
type Asked = {
  groups: readonly string[]
  groupIds: number[]
  organizations: readonly string[]
  search: string | undefined
}

/** Device groups and organizations that a person names, seen from the organization of the call. */
export async function findPlaces(db: Db, ctx: OrgCtx, asked: Asked) {
  const { groups, groupIds, organizations, search } = asked
  const { id, resourceId } = ctx.organization
  const known = groupIds.length === 0 ? [] : await policiesByIds(db, id, groupIds)
  return {
    groups: await groupsNamed(db, ctx, groups),
    groupIds: known.map((group) => group.id),
    organizations: await organizationsNamed(db, ctx, organizations),
    found: search === undefined ? [] : await organizationsWith(db, resourceId, search),
  }
}

const mostFound = 500

/** Open organizations below one with a text in their label or name. */
async function organizationsWith(db: Db, above: string, text: string) {
  const rows = await db
    .selectFrom('organization as o')
    .select('o.resource_id')
    .where('o.status', '=', 'ACTIVE')
    .where(sql<boolean>`starts_with(o.resource_id, ${`${above}.`})`)
    .where(containsText(sql`o.label || ' ' || o.name`, text))
    .limit(mostFound)
    .execute()
  return rows.map(({ resource_id }) => resource_id)
}

/** May the person do all of this on a device in these groups? */
export const holdsAll = (
  { capability }: OrgCtx,
  actions: readonly string[],
  groups: readonly number[],
) => actions.every((one) => canDevice(capability, one as Action, groups))

/** A group's roles may then be used on the device: nobody gives a right that they do not have there. */
// oxlint-disable-next-line max-params -- who puts what where
async function mayPutInto(tx: Db, ctx: OrgCtx, group: number, others: readonly number[]) {
  const actions = await actionsOfPolicy(tx, group)
  return holdsAll(ctx, actions, [...others, group])
}

async function groupsNamed(db: Db, ctx: OrgCtx, names: readonly string[]) {
  if (names.length === 0) return []
  const lower = names.map((name) => name.toLowerCase())
  const rows = await db
    .selectFrom('security_policy')
    .select(['id', 'name'])
    .where('organization_id', '=', ctx.organization.id)
    .where('type', '=', 'STANDARD')
    .where(sql<boolean>`lower(name) = any(${lower}::text[])`)
    .execute()
  const all = await allDevicesOf(db, ctx.organization.id)
  const may = can(ctx.capability, 'devicegroups', 'update')
  const named: { id: number; name: string; allowed: boolean }[] = []
  for (const { id, name } of rows) {
    named.push({ id, name, allowed: may && (await mayPutInto(db, ctx, id, all)) })
  }
  return named
}

/** The groups that every device of the organization is in. */
async function allDevicesOf(db: Db, organizationId: number) {
  const rows = await db
    .selectFrom('security_policy as p')
    .innerJoin('organization_tree as t', 't.ancestor', 'p.organization_id')
    .select('p.id')
    .where('t.descendant', '=', organizationId)
    .where('p.type', '=', 'ALL_DEVICES')
    .execute()
  return rows.map(({ id }) => id)
}

async function organizationsNamed(db: Db, ctx: OrgCtx, names: readonly string[]) {
  if (names.length === 0) return []
  const { id, resourceId } = ctx.organization
  const lower = names.map((name) => name.toLowerCase())
  const rows = await db
    .selectFrom('organization as o')
    .innerJoin('organization_tree as t', 't.descendant', 'o.id')
    .select(['o.resource_id as resourceId', 'o.name', 'o.label'])
    .where('t.ancestor', '=', id)
    .where('o.status', '=', 'ACTIVE')
    .where(
      sql<boolean>`(lower(o.name) = any(${lower}::text[]) or lower(o.label) = any(${lower}::text[])
        or lower(o.resource_id) = any(${lower}::text[])
        or lower(substr(o.resource_id, ${resourceId.length + 2}::int)) = any(${lower}::text[]))`,
    )
    .limit(10_000)
    .execute()
  return rows
}
