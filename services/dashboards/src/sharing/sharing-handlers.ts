import { recordChange } from '@longreach/kit/audit-trail'
import { localName } from '@longreach/kit/person-name-rules'
import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { dashboardsContract } from '../contract.ts'
import type { DashboardsDb, ItemRow, SharePermission } from '../database.ts'
import type { DashboardsDeps } from '../deps.ts'
import { lockItem, noDashboard, requireItem, requireOwner } from '../item-rights.ts'
import type { sharingContract } from './contract.ts'
import { listShares, removeShares, saveShares } from './share-store.ts'

type Wanted = { name: string; permission: SharePermission | null }
type Posted = readonly { name: string; permission?: SharePermission | null | undefined }[]

/** Names that stand for all people, and for nobody in particular. */
const everybody = new Set(['*', '**'])

export function sharingHandlers(deps: DashboardsDeps): Handlers<typeof sharingContract> {
  const lists = async (ctx: OrgCtx, id: string) => {
    await requireItem(deps.db, ctx, id)
    return listsOf(deps.db, id)
  }
  const add = (ctx: OrgCtx, id: string, posted: Posted, permission: SharePermission) =>
    share(
      deps,
      ctx,
      id,
      posted.map((one) => ({ permission, ...defined(one) })),
    )
  const remove = (ctx: OrgCtx, id: string, posted: Posted, permission: SharePermission) =>
    unshare(deps, ctx, { id, names: posted.map(({ name }) => name), permission })

  return {
    readers: ({ params: { id } }, ctx) => lists(ctx, id),
    editors: ({ params: { id } }, ctx) => lists(ctx, id),
    addReaders: ({ params: { id }, body }, ctx) => add(ctx, id, body, 'r'),
    addEditors: ({ params: { id }, body }, ctx) => add(ctx, id, body, 'r/w'),
    addReader: ({ params: { id, user } }, ctx) => add(ctx, id, [{ name: user }], 'r'),
    addEditor: ({ params: { id, user } }, ctx) => add(ctx, id, [{ name: user }], 'r/w'),
    removeReaders: ({ params: { id }, body }, ctx) => remove(ctx, id, body, 'r'),
    removeEditors: ({ params: { id }, body }, ctx) => remove(ctx, id, body, 'r/w'),
    removeReader: ({ params: { id, user } }, ctx) => remove(ctx, id, [{ name: user }], 'r'),
    removeEditor: ({ params: { id, user } }, ctx) => remove(ctx, id, [{ name: user }], 'r/w'),
  }
}

/** Name as it is kept: without the realm of the organization, which may follow it. */
const localOf = ({ realm }: ItemRow, name: string) =>
  everybody.has(name) ? name : localName(name, realm)

const defined = ({ name, permission }: Posted[number]) =>
  permission === undefined ? { name } : { name, permission }

async function listsOf(db: Kysely<DashboardsDb>, id: string) {
  const shares = await listShares(db, id)
  const namesOf = (wanted: SharePermission) =>
    shares.filter(({ permission }) => permission === wanted).map(({ name }) => name)
  return { readers: namesOf('r'), editors: namesOf('r/w') }
}

/** Gives each name its permission, or none for null; nothing is changed when one of them is wrong. */
async function share(deps: DashboardsDeps, call: OrgCtx, id: string, wanted: readonly Wanted[]) {
  const { ctx, item } = await requireOwner(deps, call, id)
  const local = wanted.map(({ name, ...one }) => ({ ...one, name: localOf(item, name) }))
  const subs = await subjectsOf(deps, item, local)
  return changeShares(deps, ctx, id, async (tx) => {
    const given = local.flatMap(({ name, permission }) =>
      permission === null ? [] : [{ name, permission, sub: subs.get(name) ?? null }],
    )
    const taken = local.filter(({ permission }) => permission === null).map(({ name }) => name)
    await removeShares(tx, id, taken)
    await saveShares(tx, id, given, { by: ctx.caller.username, at: ctx.now })
  })
}

type Removal = { id: string; names: readonly string[]; permission: SharePermission }

async function unshare(deps: DashboardsDeps, call: OrgCtx, { id, names, permission }: Removal) {
  const { ctx, item } = await requireOwner(deps, call, id)
  const local = names.map((name) => localOf(item, name))
  return changeShares(deps, ctx, id, (tx) => removeShares(tx, id, local, permission))
}

/** Changes the shares of a dashboard one after the other, with what they were and are in the audit trail. */
async function changeShares(
  { db }: DashboardsDeps,
  ctx: OrgCtx,
  id: string,
  work: (tx: Kysely<DashboardsDb>) => Promise<unknown>,
) {
  return db.transaction().execute(async (tx) => {
    const item = await lockItem(tx, id)
    if (!item || item.deleted_at) throw noDashboard(id)
    const before = await listsOf(tx, id)
    await work(tx)
    const after = await listsOf(tx, id)
    await recordChange(tx, ctx, {
      resource: 'dashboards',
      action: 'update',
      id,
      label: item.name,
      organization: item.org,
      before,
      after,
    })
    return after
  })
}

/** Subjects of the people who are named; 422 with the names that nobody in the organization has. */
async function subjectsOf(
  { clients }: DashboardsDeps,
  item: ItemRow,
  wanted: readonly Wanted[],
): Promise<Map<string, string>> {
  const named = wanted.filter(({ permission }) => permission !== null)
  const people = named.map(({ name }) => name).filter((name) => !everybody.has(name))
  if (people.includes(item.owner_name)) throw isOwner(item)
  if (people.length === 0) return new Map()
  const body = { organization: item.org, people }
  const found = (await clients.core.recipients({ body })).people
  const subs = new Map(found.map(({ username, sub }) => [username, sub]))
  const unknown = people.filter((name) => !subs.has(name))
  if (unknown.length === 0) return subs
  throw failure(dashboardsContract, 'unknown_names', {
    message: `Nobody in the organization is called ${unknown.join(', ')}. Give user names of its members.`,
    field: 'name',
    names: unknown,
  })
}

const isOwner = ({ owner_name, name }: ItemRow) =>
  failure(dashboardsContract, 'is_owner', {
    message: `${owner_name} owns ${name} and has all rights on it.`,
    field: 'name',
  })
