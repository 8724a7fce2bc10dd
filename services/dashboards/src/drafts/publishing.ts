import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { dashboardsContract } from '../contract.ts'
import type { DashboardsDb, ItemRow, VersionRow } from '../database.ts'
import { findVersion, insertVersion, keepText, nextNumber } from '../document-store.ts'
import { sha256Of } from '../document-text.ts'
import { draftText, lockDraft, updateDraft } from './draft-store.ts'

type Db = Kysely<DashboardsDb>
type Wanted = { name?: string | undefined; note?: string | undefined; current?: boolean }

/**
 * Makes the draft of a locked dashboard a version. What equals the version it is based on is that version,
 * unless another name is given.
 */
export async function publishDraft(
  tx: Db,
  ctx: OrgCtx,
  item: ItemRow,
  wanted: Wanted = {},
): Promise<VersionRow> {
  const draft = await lockDraft(tx, item.id)
  const text = await draftText(tx, item.id)
  const base = await findVersion(tx, item.id, draft.base)
  const isSame = base?.sha256.equals(sha256Of(text)) === true && wanted.name === undefined
  const version = isSame ? base : await newVersion(tx, ctx, item, { ...wanted, text })
  if (!isSame) await updateDraft(tx, item.id, { base: version.name })
  if (wanted.current === true && item.current_version !== version.name) {
    await makeCurrent(tx, ctx, item, version.name)
  }
  return version
}

/** Keeps a text as the next version of a locked dashboard; 409 when the name is taken. */
export async function newVersion(
  tx: Db,
  ctx: OrgCtx,
  item: ItemRow,
  made: Wanted & { text: string; from?: string },
): Promise<VersionRow> {
  const number = await nextNumber(tx, item.id)
  const name = made.name ?? (await freeName(tx, item.id, number))
  if (await findVersion(tx, item.id, name)) throw nameTaken(name)
  const version = await insertVersion(tx, {
    item: item.id,
    name,
    number,
    sha256: await keepText(tx, made.text),
    note: made.note ?? '',
    author: ctx.caller.username,
    at: ctx.now,
    updated_at: ctx.now,
    derived_from: made.from ?? null,
  })
  await recordChange(tx, ctx, {
    resource: 'dashboards',
    action: 'create',
    id: item.id,
    label: item.name,
    organization: item.org,
    after: { version: name, note: version.note, derivedFrom: version.derived_from },
  })
  return version
}

/** Number of a version as its name, or the next one that nobody has given as a name. */
async function freeName(db: Db, item: string, number: number): Promise<string> {
  const name = String(number)
  return (await findVersion(db, item, name)) ? freeName(db, item, number + 1) : name
}

/** Makes a version the one that readers see. */
export async function makeCurrent(tx: Db, ctx: OrgCtx, item: ItemRow, name: string) {
  await tx
    .updateTable('item')
    .set({ current_version: name, updated_at: ctx.now })
    .where('id', '=', item.id)
    .execute()
  await recordChange(tx, ctx, {
    resource: 'dashboards',
    action: 'update',
    id: item.id,
    label: item.name,
    organization: item.org,
    before: { currentVersion: item.current_version },
    after: { currentVersion: name },
  })
}

export const nameTaken = (name: string) =>
  failure(dashboardsContract, 'name_taken', {
    message: `There is a version ${name} of this dashboard. Take another name.`,
    field: 'name',
  })
