import { can } from '@longreach/authorization/can'
import { isWithinSql, reachOf } from '@longreach/authorization/reach'
import { failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import { where } from '@longreach/kit/where'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { dashboardsContract } from './contract.ts'
import type { DashboardsDb, ItemRow } from './database.ts'
import type { DashboardsDeps } from './deps.ts'

type Db = Kysely<DashboardsDb>

/** Role of a caller for one dashboard; a keeper has all dashboards of an organization by their permissions. */
type ItemRole = 'owner' | 'keeper' | 'editor' | 'reader'

/** Dashboard with the caller's role for it. */
export type Seen = { item: ItemRow; role: ItemRole }

/** Permissions that make a keeper. */
const isKeeper = ({ capability }: Pick<OrgCtx, 'capability'>) =>
  can(capability, 'dashboards', 'update') && can(capability, 'dashboards', 'delete')

/** Organizations above one, outermost first. */
const above = (organization: string) => {
  const parts = organization.split('.')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'))
}

const isShared = (permissions: readonly string[], sub: string) => sql<boolean>`exists (
  select from dashboards.share as share where share.item = item.id
  and share.permission = any(${permissions}::text[])
  and (share.sub = ${sub} or share.name in ('*', '**')))`

const isSharedBelow = sql<boolean>`exists (
  select from dashboards.share as share where share.item = item.id and share.name = '**')`

/** Role of the caller for each row of `item`; null is none. */
const roleSql = (ctx: OrgCtx): RawBuilder<ItemRole | null> => {
  const isHere = where(isWithinSql(reachOf(ctx), 'item.org'))
  const { organization, caller } = ctx
  return sql<ItemRole | null>`case
    when ${isHere} and item.owner = ${caller.sub} then 'owner'
    when ${isHere} and ${isKeeper(ctx)} then 'keeper'
    when ${isHere} and ${isShared(['r/w'], caller.sub)} then 'editor'
    when ${isHere} and ${isShared(['r'], caller.sub)} then 'reader'
    when item.org = any(${above(organization.resourceId)}::text[]) and ${isSharedBelow} then 'reader'
  end`
}

/** Dashboards that the caller sees, each with their role. */
export const seenItems = (db: Db, ctx: OrgCtx) =>
  db
    .selectFrom((from) =>
      from.selectFrom('item').selectAll('item').select(roleSql(ctx).as('role')).as('item'),
    )
    .selectAll()
    .where('item.role', 'is not', null)

const toSeen = ({ role, ...item }: ItemRow & { role: ItemRole | null }): Seen[] =>
  role === null ? [] : [{ item, role }]

export const noDashboard = (id: string) =>
  failure(dashboardsContract, 'not_found', { message: `There is no dashboard ${id} here`, id })

export const noVersion = (name: string) =>
  failure(dashboardsContract, 'not_found', {
    message: `The dashboard has no version ${name}`,
    field: 'version',
  })

/** Dashboard that the caller sees, 404 without one or with one in the trash. */
export async function requireItem(db: Db, ctx: OrgCtx, id: string): Promise<Seen> {
  const found = await findItem(db, ctx, id)
  if (!found || found.item.deleted_at) throw noDashboard(id)
  return found
}

/** The same, also in the trash; undefined if there is none. */
export async function findItem(db: Db, ctx: OrgCtx, id: string): Promise<Seen | undefined> {
  const rows = await seenItems(db, ctx).where('item.id', '=', id).execute()
  return rows.flatMap(toSeen)[0]
}

export const rolesOf = (rows: readonly (ItemRow & { role: ItemRole | null })[]): Seen[] =>
  rows.flatMap(toSeen)

/** Context of a call in the organization of a dashboard, which may be below that of the call. */
async function ctxOfItem(
  { admit }: Pick<DashboardsDeps, 'admit'>,
  ctx: OrgCtx,
  org: string,
): Promise<OrgCtx> {
  if (org === ctx.organization.resourceId) return ctx
  const admission = await admit(ctx.caller, org)
  return admission ? { ...ctx, ...admission, subtree: false } : ctx
}

/** Rows of a dashboard, held until the transaction ends, so that changes come one after the other. */
export const lockItem = (tx: Db, id: string) =>
  tx.selectFrom('item').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Dashboard that the caller edits: 404 if it is not seen, 403 for readers. */
export async function requireEditor(
  deps: Pick<DashboardsDeps, 'admit' | 'db'>,
  ctx: OrgCtx,
  id: string,
): Promise<Seen & { ctx: OrgCtx }> {
  const seen = await requireItem(deps.db, ctx, id)
  const own = await ctxOfItem(deps, ctx, seen.item.org)
  const mayUpdate = seen.role === 'owner' || can(own.capability, 'dashboards', 'update')
  if (seen.role !== 'reader' && mayUpdate) return { ...seen, ctx: own }
  throw failure(dashboardsContract, 'not_editor', {
    message: `You may look at ${seen.item.name}, and not change it. Ask ${seen.item.owner_name} to make you an editor.`,
    owner: seen.item.owner_name,
  })
}

/** Dashboard that the caller owns or keeps: 404 if it is not seen, 403 for others. */
export async function requireOwner(
  deps: Pick<DashboardsDeps, 'admit' | 'db'>,
  ctx: OrgCtx,
  id: string,
): Promise<Seen & { ctx: OrgCtx }> {
  const found = await findItem(deps.db, ctx, id)
  if (!found) throw noDashboard(id)
  const own = await ctxOfItem(deps, ctx, found.item.org)
  if (found.role === 'owner' || found.role === 'keeper') return { ...found, ctx: own }
  throw failure(dashboardsContract, 'not_owner', {
    message: `Only the owner of ${found.item.name}, ${found.item.owner_name}, may do this.`,
    owner: found.item.owner_name,
  })
}
