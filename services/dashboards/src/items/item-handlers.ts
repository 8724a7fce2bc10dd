import { documentJsonSchema } from '@longreach/board/document'
import { toDataPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import { holdLock } from '@longreach/kit/locks'
import { recordChange } from '@longreach/kit/audit-trail'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import { dashboardsContract } from '../contract.ts'
import type { DashboardsDb, ItemRow } from '../database.ts'
import type { DashboardsDeps } from '../deps.ts'
import { findVersion, insertVersion, keepText } from '../document-store.ts'
import { emptyText, type KeptText, readPosted } from '../document-text.ts'
import { draftText, insertDraft } from '../drafts/draft-store.ts'
import { findItem, noVersion, requireItem, type Seen } from '../item-rights.ts'
import type { itemsContract, ListQuery } from './contract.ts'
import { changeItem } from './item-changing.ts'
import { countItems, insertItem, listItems, sharesOf } from './item-store.ts'
import { type ShownDocument, toDashboard } from './item-wire.ts'
import { trashHandlers } from './trash-handlers.ts'

/** Most dashboards of an organization, those in the trash included. */
const mostItems = 10_000

export function itemHandlers(deps: DashboardsDeps): Handlers<typeof itemsContract> {
  const { db } = deps

  const list = async (query: ListQuery, ctx: OrgCtx, inTrash = false) => {
    const { rows, total } = await listItems(db, ctx, { ...query, inTrash })
    const shares = await sharesOf(db, rows)
    return toDataPage(
      rows.map((seen) => toDashboard(seen, shares.get(seen.item.id) ?? [])),
      total,
      query,
    )
  }

  return {
    dashboards: ({ query }, ctx) => list(query, ctx),
    myDashboards: ({ query }, ctx) => list({ ...query, whose: 'MINE' }, ctx),
    sharedDashboards: ({ query }, ctx) => list({ ...query, whose: 'SHARED_WITH_ME' }, ctx),
    dashboardTrash: ({ query }, ctx) => list(query, ctx, true),
    dashboardSchema: () => Promise.resolve(documentJsonSchema() as Record<string, unknown>),

    createDashboard: async ({ body }, ctx) => {
      const document = body.json ? readPosted(body.json) : emptyText(body.name)
      const item = await db.transaction().execute(async (tx) => {
        await holdLock(tx, 'dashboards.items', ctx.organization.resourceId)
        await requireRoom(tx, ctx.organization.resourceId)
        if (body.parentId) await requireParent(tx, ctx, body.parentId)
        return makeItem(tx, ctx, { ...body, document })
      })
      const shown = { json: document.text, version: item.current_version }
      return toDashboard({ item, role: 'owner' }, [], shown)
    },

    dashboard: async ({ params: { id }, query: { version } }, ctx) => {
      const seen = await requireItem(db, ctx, id)
      return answered(db, seen, await shownDocument(db, seen, version))
    },

    updateDashboard: async ({ params: { id }, query, body }, ctx) => {
      const seen = await changeItem(deps, ctx, id, body)
      return answered(db, seen, await shownDocument(db, seen, query.version ?? 'DRAFT'))
    },

    ...trashHandlers(deps),
  }
}

async function answered(db: Kysely<DashboardsDb>, seen: Seen, document?: ShownDocument) {
  const shares = await sharesOf(db, [seen])
  return toDashboard(seen, shares.get(seen.item.id) ?? [], document)
}

/** Document of a version; the draft is for those who edit. */
async function shownDocument(
  db: Kysely<DashboardsDb>,
  { item, role }: Seen,
  asked = 'LATEST',
): Promise<ShownDocument> {
  if (asked === 'DRAFT') {
    if (role === 'reader') throw noVersion(asked)
    return { json: await draftText(db, item.id), version: 'DRAFT' }
  }
  const name = asked === 'LATEST' || asked === '' ? item.current_version : asked
  const found = await findVersion(db, item.id, name)
  if (!found) throw noVersion(name)
  return { json: found.text, version: found.name }
}

type Made = {
  name: string
  description?: string | null | undefined
  type?: ItemRow['kind'] | null | undefined
  manifest?: Record<string, unknown> | null | undefined
  cardStyle?: Record<string, unknown> | null | undefined
  parentId?: string | null | undefined
  document: KeptText
}

/** Keeps a new dashboard of the caller, with its first version and a draft that equals it. */
async function makeItem(tx: Kysely<DashboardsDb>, ctx: OrgCtx, made: Made): Promise<ItemRow> {
  const { caller, organization, now } = ctx
  const item = await insertItem(tx, {
    id: randomUUID(),
    kind: made.type ?? 'DASHBOARD',
    org: organization.resourceId,
    realm: organization.realm,
    name: made.name,
    description: made.description ?? '',
    owner: caller.sub,
    owner_name: caller.username,
    card_style: made.cardStyle ?? null,
    manifest: made.manifest ?? null,
    parent: made.parentId ?? null,
    current_version: '1',
    created_at: now,
    updated_at: now,
    deleted_at: null,
    deleted_by: null,
  })
  await insertVersion(tx, {
    item: item.id,
    name: '1',
    number: 1,
    sha256: await keepText(tx, made.document.text),
    note: '',
    author: caller.username,
    at: now,
    updated_at: now,
    derived_from: null,
  })
  await insertDraft(tx, item.id, '1', made.document)
  await recordChange(tx, ctx, {
    resource: 'dashboards',
    action: 'create',
    id: item.id,
    label: item.name,
    after: { name: item.name, description: item.description, type: item.kind },
  })
  return item
}

async function requireRoom(tx: Kysely<DashboardsDb>, org: string) {
  if ((await countItems(tx, org)) < mostItems) return
  throw failure(dashboardsContract, 'too_many', {
    message: `The organization has ${mostItems} dashboards. Delete some for ever, in the trash.`,
  })
}

async function requireParent(tx: Kysely<DashboardsDb>, ctx: OrgCtx, id: string) {
  const found = await findItem(tx, ctx, id)
  if (found && !found.item.deleted_at) return
  throw failure(dashboardsContract, 'no_such_parent', {
    message: `There is no dashboard ${id} here that this one could belong to.`,
    field: 'parentId',
  })
}
