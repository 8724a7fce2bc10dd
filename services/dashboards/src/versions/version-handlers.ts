import { diff } from '@longreach/board/diff'
import type { Document } from '@longreach/board/document'
import { readDocumentText } from '@longreach/board/read'
import { toDataPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { dashboardsContract } from '../contract.ts'
import type { DashboardsDb, ItemRow, VersionRow } from '../database.ts'
import type { DashboardsDeps } from '../deps.ts'
import { findVersion } from '../document-store.ts'
import { foreignDraft, replaceDraft } from '../drafts/draft-editing.ts'
import { draftText, updateDraft } from '../drafts/draft-store.ts'
import { makeCurrent, nameTaken, newVersion, publishDraft } from '../drafts/publishing.ts'
import { lockItem, noDashboard, noVersion, requireEditor, requireItem } from '../item-rights.ts'
import type { Version, versionsContract } from './contract.ts'
import { deleteVersion, listVersions, renameVersion } from './version-store.ts'

type Db = Kysely<DashboardsDb>

export function versionHandlers(deps: DashboardsDeps): Handlers<typeof versionsContract> {
  const { db } = deps
  return {
    versions: async ({ params: { id } }, ctx) => {
      const { item, role } = await requireItem(db, ctx, id)
      const rows = await listVersions(db, id)
      const draft = role === 'reader' ? [] : [draftAsVersion(item)]
      const data = [...draft, ...rows.map((row) => toVersion(row, item))]
      return toDataPage(data, data.length, { page: 0, pageSize: Math.max(1, data.length) })
    },

    version: async ({ params: { id, version } }, ctx) => {
      const { item } = await requireItem(db, ctx, id)
      const found = await requireVersion(db, item, version)
      return { ...toVersion(found, item), json: found.text }
    },

    createVersion: ({ params: { id }, body }, call) =>
      change(deps, call, id, async (tx, ctx, item) =>
        publishDraft(tx, ctx, item, {
          name: body.name ?? undefined,
          note: body.description ?? undefined,
          current: body.current,
        }),
      ),

    updateVersion: ({ params: { id, version }, body }, call) =>
      change(deps, call, id, async (tx, ctx, item) => {
        const before = await requireVersion(tx, item, version)
        const name = body.name ?? before.name
        if (name !== before.name && (await findVersion(tx, id, name))) throw nameTaken(name)
        const note = body.description ?? before.note
        return renameVersion(tx, { before, name, note, at: ctx.now })
      }),

    deleteVersion: async ({ params: { id, version } }, call) => {
      await change(deps, call, id, async (tx, ctx, item) => {
        const found = await requireVersion(tx, item, version)
        if (found.name === item.current_version) throw isCurrent(found.name)
        await deleteVersion(tx, ctx, item, found)
        return found
      })
    },

    makeVersionCurrent: ({ params: { id, version } }, call) =>
      change(deps, call, id, async (tx, ctx, item) => {
        const found = await requireVersion(tx, item, version)
        if (found.name !== item.current_version) await makeCurrent(tx, ctx, item, found.name)
        return found
      }),

    deriveVersion: ({ params: { id, version }, body }, call) =>
      change(deps, call, id, async (tx, ctx, item) => {
        const from = await requireVersion(tx, item, version)
        const { text } = from
        const derived = { text, from: from.name, name: body.name ?? undefined }
        const made = await newVersion(tx, ctx, item, { ...derived, note: body.description ?? '' })
        const kept = { text, isForeign: isOfOther(text), label: `version ${from.name}` }
        await replaceDraft(tx, ctx, id, kept)
        await updateDraft(tx, id, { base: made.name })
        return made
      }),

    versionDifference: async ({ params: { id, version, other } }, ctx) => {
      const { item, role } = await requireItem(db, ctx, id)
      const textOf = async (name: string) => {
        if (name !== 'DRAFT') return (await requireVersion(db, item, name)).text
        if (role === 'reader') throw noVersion(name)
        return draftText(db, id)
      }
      const [one, two] = await Promise.all([textOf(version), textOf(other)])
      return { changes: diff(documentIn(one), documentIn(two)) }
    },
  }
}

/** Changes a dashboard's versions, one after the other, and tells of it. */
async function change(
  deps: DashboardsDeps,
  call: Parameters<typeof requireEditor>[1],
  id: string,
  work: (tx: Db, ctx: Parameters<typeof requireEditor>[1], item: ItemRow) => Promise<VersionRow>,
) {
  const { ctx } = await requireEditor(deps, call, id)
  return deps.db.transaction().execute(async (tx) => {
    const item = await lockItem(tx, id)
    if (!item || item.deleted_at) throw noDashboard(id)
    const version = await work(tx, ctx, item)
    return toVersion(version, (await lockItem(tx, id)) ?? item)
  })
}

async function requireVersion(db: Db, { id, current_version }: ItemRow, name: string) {
  const found = await findVersion(db, id, name === 'LATEST' ? current_version : name)
  if (!found) throw noVersion(name)
  return found
}

const isOfOther = (text: string) => !readDocumentText(text).ok

function documentIn(text: string): Document {
  const read = readDocumentText(text)
  if (!read.ok) throw foreignDraft()
  return read.document
}

const isCurrent = (name: string) =>
  failure(dashboardsContract, 'version_is_current', {
    message: `Readers see version ${name}. Make another one current first.`,
  })

const toVersion = (row: VersionRow, { current_version }: ItemRow): Version => ({
  name: row.name,
  description: row.note,
  creationDate: row.at.getTime(),
  updatedAt: row.updated_at.getTime(),
  owner: row.author,
  longreach: { isCurrent: row.name === current_version, derivedFrom: row.derived_from },
})

const draftAsVersion = ({ created_at, updated_at, owner_name }: ItemRow): Version => ({
  name: 'DRAFT',
  description: '',
  creationDate: created_at.getTime(),
  updatedAt: updated_at.getTime(),
  owner: owner_name,
  autosave: true,
  longreach: { isCurrent: false, derivedFrom: null },
})
