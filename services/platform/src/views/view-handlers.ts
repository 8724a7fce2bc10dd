import { randomUUID } from 'node:crypto'
import { can } from '@longreach/authorization/can'
import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import type { Deps, Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { platformContract } from '../contract.ts'
import type { ExplorerView, NewView, ViewChange, viewEndpoints } from './view-contract.ts'
import {
  countViews,
  deleteView,
  findView,
  insertView,
  listViews,
  lockAuthor,
  lockView,
  updateView,
  type ViewDb,
  type ViewRow,
} from './view-store.ts'
import { publishDeletedView, publishView } from './view-uses.ts'

type ViewHandlers = Pick<Handlers<typeof platformContract>, keyof typeof viewEndpoints>

type ViewDeps = Pick<Deps<ViewDb>, 'db'>

/** More of one person in one organization are a program's doing. */
const mostViews = 500

/** Handlers of `viewEndpoints`, to be joined with the platform's. */
export const viewHandlers = ({ db }: ViewDeps): ViewHandlers => ({
  views: async (_, ctx) => (await listViews(db, seenBy(ctx))).map((row) => toView(row, ctx)),

  view: async ({ params }, ctx) => {
    const row = await findView(db, seenBy(ctx), params.view)
    if (!row) throw noView(params.view)
    return toView(row, ctx)
  },

  createView: async ({ body }, ctx) => {
    if (body.shared && !mayShare(ctx)) throw viewNotYours('shared')
    const row = newRow(body, ctx)
    await db.transaction().execute(async (tx) => {
      await lockAuthor(tx, seenBy(ctx))
      if ((await countViews(tx, seenBy(ctx))) >= mostViews) throw tooManyViews()
      if (!(await insertView(tx, row))) throw nameTaken(row.name)
      await publishView(tx, row)
      await recordViewChange(tx, ctx, 'create', { after: row })
    })
    return toView(row, ctx)
  },

  updateView: async ({ params, body }, ctx) =>
    db
      .transaction()
      .execute(async (tx) => {
        const before = await changeable(tx, ctx, params.view)
        const after = changed(before, body, ctx)
        await updateView(tx, seenBy(ctx), before.id, after)
        await publishView(tx, after)
        await recordViewChange(tx, ctx, 'update', { before, after })
        return toView(after, ctx)
      })
      .catch((error: unknown) => {
        throw (error as { code?: string }).code === '23505' ? nameTaken(body.name ?? '') : error // the index knows it first
      }),

  deleteView: async ({ params }, ctx) =>
    db.transaction().execute(async (tx) => {
      const before = await changeable(tx, ctx, params.view)
      await deleteView(tx, seenBy(ctx), before.id)
      await publishDeletedView(tx, before.id)
      await recordViewChange(tx, ctx, 'delete', { before })
      return undefined
    }),
})

const seenBy = ({ organization, caller }: OrgCtx) => ({
  organization: organization.resourceId,
  author: caller.sub,
})
const mayShare = ({ capability }: OrgCtx) => can(capability, 'devices', 'update')
const mayChange = (row: ViewRow, ctx: OrgCtx) =>
  row.author === ctx.caller.sub || (row.shared && mayShare(ctx))

const toView = (row: ViewRow, ctx: OrgCtx): ExplorerView => ({
  id: row.id,
  name: row.name,
  description: row.description,
  shared: row.shared,
  query: row.query,
  author: row.author_name,
  mine: row.author === ctx.caller.sub,
  mayChange: mayChange(row, ctx),
  version: row.version,
  createdAt: row.made_at.getTime(),
  updatedAt: row.changed_at.getTime(),
})

function newRow(body: NewView, { organization, caller, now }: OrgCtx): ViewRow {
  return {
    ...body,
    id: randomUUID(),
    organization: organization.resourceId,
    author: caller.sub,
    author_name: caller.username,
    version: 1,
    made_at: now,
    changed_at: now,
  }
}

async function changeable(tx: Kysely<ViewDb>, ctx: OrgCtx, id: string) {
  const row = await lockView(tx, seenBy(ctx), id)
  if (!row) throw noView(id)
  if (!mayChange(row, ctx)) throw viewNotYours('view')
  return row
}

function changed(before: ViewRow, change: ViewChange, ctx: OrgCtx): ViewRow {
  const shared = change.shared ?? before.shared
  if (shared && !before.shared && !mayShare(ctx)) throw viewNotYours('shared')
  if (before.version !== change.version) {
    const message = `${before.name} was changed in the meantime. Load it again.`
    throw failure(platformContract, 'view_changed', { message, version: before.version })
  }
  return {
    ...before,
    name: change.name ?? before.name,
    description: change.description ?? before.description,
    shared,
    query: change.query ?? before.query,
    version: before.version + 1,
    changed_at: ctx.now,
  }
}

type Sides = { before?: ViewRow; after?: ViewRow }
/** Audit entry of a change; the content of a private view is not in the organization's trail. */
async function recordViewChange(
  tx: Kysely<ViewDb>,
  ctx: OrgCtx,
  action: 'create' | 'update' | 'delete',
  { before, after }: Sides,
) {
  const row = after ?? before
  if (!row) return
  const facts = ({ name, description, shared, query }: ViewRow) => ({
    name,
    description,
    shared,
    query,
  })
  await recordChange(tx, ctx, {
    resource: 'views',
    action,
    id: row.id,
    label: row.name,
    ...(before?.shared && { before: facts(before) }),
    ...(after?.shared && { after: facts(after) }),
  })
}

const noView = (id: string) =>
  failure(platformContract, 'not_found', { message: `There is no view ${id} here`, id })

const nameTaken = (name: string) =>
  failure(platformContract, 'view_name_taken', {
    message: `There is a view called ${name} already. Take another name.`,
    field: 'name',
  })

const tooManyViews = () =>
  failure(platformContract, 'too_many_views', {
    message: `You have ${mostViews} views here already. Delete one first.`,
  })

const viewNotYours = (field: string) =>
  failure(platformContract, 'view_not_yours', {
    message:
      'Who shares a view, or changes what somebody else shared, needs the right to update devices.',
    field,
  })
