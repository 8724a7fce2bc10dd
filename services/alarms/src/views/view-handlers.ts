import { randomUUID } from 'node:crypto'
import { can } from '@longreach/authorization/can'
import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { alarmsContract } from '../contract.ts'
import type { AlarmsDb } from '../database.ts'
import type { AlarmsDeps } from '../deps.ts'
import type { AlarmView, NewView, viewsContract } from './contract.ts'
import {
  countViews,
  deleteView,
  dropForeignDefaults,
  findView,
  insertView,
  listViews,
  lockAuthor,
  lockView,
  type SeenView,
  setDefault,
  updateView,
  type ViewRow,
} from './view-store.ts'

type Tx = Kysely<AlarmsDb>

/** More of one person in one organization are a program's doing. */
const mostViews = 200

/** Handlers of saved views of the lists of alarms. */
export const viewHandlers = ({ db }: Pick<AlarmsDeps, 'db'>): Handlers<typeof viewsContract> => ({
  alarmViews: async (_, ctx) => ({
    data: (await listViews(db, seenBy(ctx))).map((row) => toView(row, ctx)),
  }),

  createAlarmView: async ({ body }, ctx) => {
    if (body.shared && !mayShare(ctx)) throw viewNotYours('shared')
    const row = newRow(body, ctx)
    await savingView(db, body.name, async (tx) => {
      await lockAuthor(tx, seenBy(ctx))
      if ((await countViews(tx, seenBy(ctx))) >= mostViews) throw tooManyViews()
      await insertView(tx, row)
      await recordView(tx, ctx, 'create', { after: row })
    })
    return toView({ ...row, is_default: false }, ctx)
  },

  updateAlarmView: async ({ params: { id }, body }, ctx) =>
    savingView(db, body.name, async (tx) => {
      const before = await changeable(tx, ctx, id)
      const after = changed(before, body, ctx)
      await updateView(tx, after)
      if (!after.shared) await dropForeignDefaults(tx, after)
      await recordView(tx, ctx, 'update', { before, after })
      return toView(after, ctx)
    }),

  deleteAlarmView: async ({ params: { id } }, ctx) =>
    db.transaction().execute(async (tx) => {
      const before = await changeable(tx, ctx, id)
      await deleteView(tx, before)
      await recordView(tx, ctx, 'delete', { before })
      return undefined
    }),

  setDefaultAlarmView: async ({ body: { id, list } }, ctx) =>
    db.transaction().execute(async (tx) => {
      const view = id === null ? undefined : await findView(tx, seenBy(ctx), id)
      if (id !== null && !view) throw noView(id)
      await setDefault(tx, seenBy(ctx), { id, list: view ? listOf(view) : list })
      return undefined
    }),
})

const seenBy = ({ organization, caller }: OrgCtx) => ({
  org: organization.resourceId,
  person: caller.sub,
})
const mayShare = ({ capability }: OrgCtx) => can(capability, 'alarms', 'update')
const mayChange = (row: ViewRow, ctx: OrgCtx) =>
  row.author === ctx.caller.sub || (row.shared && mayShare(ctx))

/** Runs a change in a transaction; the index on names knows first that one is taken. */
const savingView = <T>(db: Tx, name: string, change: (tx: Tx) => Promise<T>): Promise<T> =>
  db
    .transaction()
    .execute(change)
    .catch((error: unknown) => {
      throw (error as { code?: string }).code === '23505' ? nameTaken(name) : error // an error of PostgreSQL
    })

const listOf = ({ content }: ViewRow) => (content as AlarmView['content']).list // written by this service

const toView = (row: SeenView, ctx: OrgCtx): AlarmView => ({
  id: row.id,
  name: row.name,
  shared: row.shared,
  content: row.content as AlarmView['content'], // written by this service
  author: row.author_name,
  mine: row.author === ctx.caller.sub,
  mayChange: mayChange(row, ctx),
  isDefault: row.is_default,
  version: row.version,
  updatedAt: row.updated_at.getTime(),
})

const newRow = (body: NewView, { organization, caller, now }: OrgCtx): ViewRow => ({
  ...body,
  id: randomUUID(),
  org: organization.resourceId,
  author: caller.sub,
  author_name: caller.username,
  version: 1,
  created_at: now,
  updated_at: now,
})

async function changeable(tx: Tx, ctx: OrgCtx, id: string) {
  const row = await lockView(tx, seenBy(ctx), id)
  if (!row) throw noView(id)
  if (!mayChange(row, ctx)) throw viewNotYours('id')
  return row
}

function changed(before: SeenView, body: NewView & { version: number }, ctx: OrgCtx): SeenView {
  if (body.shared && !before.shared && !mayShare(ctx)) throw viewNotYours('shared')
  if (before.version !== body.version) {
    const message = `${before.name} was changed in the meantime. Load it again.`
    throw failure(alarmsContract, 'view_changed', { message, version: before.version })
  }
  const { name, shared, content } = body
  return { ...before, name, shared, content, version: before.version + 1, updated_at: ctx.now }
}

type Sides = { before?: ViewRow; after?: ViewRow }

/** Audit entry of a change; the content of a private view is not in the organization's trail. */
async function recordView(tx: Tx, ctx: OrgCtx, action: string, { before, after }: Sides) {
  const row = after ?? before
  if (!row) return
  const facts = ({ name, shared, content }: ViewRow) => ({ name, shared, content })
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
  failure(alarmsContract, 'not_found', { message: `There is no view ${id} here.`, field: 'id' })

const nameTaken = (name: string) =>
  failure(alarmsContract, 'view_name_taken', {
    message: `There is a view called ${name} already. Take another name.`,
    field: 'name',
  })

const tooManyViews = () =>
  failure(alarmsContract, 'too_many_views', {
    message: `You have ${mostViews} views here already. Delete one first.`,
  })

const viewNotYours = (field: string) =>
  failure(alarmsContract, 'view_not_yours', {
    message:
      'Who shares a view, or changes what somebody else shared, needs the right to update alarms.',
    field,
  })
