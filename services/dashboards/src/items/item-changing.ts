import { recordChange } from '@longreach/kit/audit-trail'
import type { OrgCtx } from '@longreach/kit/service'
import type { DashboardsDeps } from '../deps.ts'
import { readPosted } from '../document-text.ts'
import { replaceDraft } from '../drafts/draft-editing.ts'
import { publishDraft } from '../drafts/publishing.ts'
import { lockItem, noDashboard, requireEditor, type Seen } from '../item-rights.ts'
import { updateItem } from './item-store.ts'

/** Fields of a dashboard that are changed; absent and null stay. */
type Changed = {
  name?: string | undefined
  description?: string | null | undefined
  json?: string | null | undefined
  manifest?: Record<string, unknown> | null | undefined
  cardStyle?: Record<string, unknown> | null | undefined
  autosave?: boolean | null | undefined
}

/** Changes a dashboard: its facts, and its draft by a whole document, which is published without autosave. */
export async function changeItem(
  deps: DashboardsDeps,
  call: OrgCtx,
  id: string,
  body: Changed,
): Promise<Seen> {
  const { ctx, role } = await requireEditor(deps, call, id)
  const document = body.json ? readPosted(body.json) : undefined
  return deps.db.transaction().execute(async (tx) => {
    const before = await lockItem(tx, id)
    if (!before || before.deleted_at) throw noDashboard(id)
    if (document) {
      await replaceDraft(tx, ctx, id, document)
      if (body.autosave === false) await publishDraft(tx, ctx, before, { current: true })
    }
    const facts = {
      ...(body.name !== undefined && { name: body.name }),
      ...(typeof body.description === 'string' && { description: body.description }),
      ...(body.manifest && { manifest: body.manifest }),
      ...(body.cardStyle && { card_style: body.cardStyle }),
    }
    const item = await updateItem(tx, id, { ...facts, updated_at: ctx.now })
    if (Object.keys(facts).length > 0) {
      await recordChange(tx, ctx, {
        resource: 'dashboards',
        action: 'update',
        id,
        label: item.name,
        organization: item.org,
        before: {
          name: before.name,
          description: before.description,
          cardStyle: before.card_style,
        },
        after: { name: item.name, description: item.description, cardStyle: item.card_style },
      })
    }
    return { item, role }
  })
}
