import { recordChange } from '@longreach/kit/audit-trail'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { sql } from 'kysely'
import type { AlarmsDeps } from '../deps.ts'
import { type ChangeKind, Edits } from '../occurrences/edits.ts'
import type { Occurrence } from '../occurrences/occurrence.ts'
import { writeEdits } from '../occurrences/occurrence-store.ts'
import { selectAlarms } from '../search/alarm-select.ts'
import { noAlarm } from '../search/history-handlers.ts'
import { visibleTo } from '../search/visible.ts'
import { lockAlarms } from './acting.ts'
import { assigneeUnknown, mayBeAssigned } from '../search/assignee.ts'
import type { actionsContract } from './contract.ts'

type Note = {
  kind: Extract<ChangeKind, 'commented' | 'assigned'>
  patch: (row: Occurrence) => Partial<Occurrence>
  comment?: string
  audited: (row: Occurrence) => object
}

type NoteHandlers = Pick<Handlers<typeof actionsContract>, 'comment' | 'assign'>

/** Comments on an alarm, and who takes care of it; also when it is over. */
export const noteHandlers = (deps: AlarmsDeps): NoteHandlers => ({
  comment: async ({ params: { id }, body: { comment } }, ctx) =>
    note(deps, ctx, id, {
      kind: 'commented',
      patch: ({ comments }) => ({ comment, comments: comments + 1 }),
      comment,
      audited: ({ comment: last }) => ({ comment: last }),
    }),

  assign: async ({ params: { id }, body: { assignee } }, ctx) => {
    const name = assignee?.trim() || null
    if (name !== null) await checkAssignee(deps, ctx, id, name)
    await note(deps, ctx, id, {
      kind: 'assigned',
      patch: () => ({ assignee: name }),
      ...(name !== null && { comment: name }),
      audited: ({ assignee: person }) => ({ assignee: person }),
    })
  },
})

/** Checks that the person may read the device of an alarm that the caller sees; 422 names the field. */
async function checkAssignee(deps: AlarmsDeps, ctx: OrgCtx, id: string, name: string) {
  const visible = await visibleTo(deps.db, ctx)
  const where = sql<boolean>`o.id = ${id} and ${visible.rows}`
  const [row] = await selectAlarms(deps.db, { where, order: sql`o.id`, limit: 1 })
  if (!row) throw noAlarm(id)
  if (!(await mayBeAssigned(deps, name, row))) throw assigneeUnknown(name)
}

async function note(
  { db }: Pick<AlarmsDeps, 'db'>,
  ctx: OrgCtx,
  id: string,
  asked: Note,
): Promise<undefined> {
  const visible = await visibleTo(db, ctx)
  await db.transaction().execute(async (tx) => {
    const [row] = await lockAlarms(tx, [id], visible)
    if (!row) throw noAlarm(id)
    const { kind, patch, comment, audited } = asked
    const before = audited(row)
    const edits = new Edits([row])
    const t = ctx.now.getTime()
    const cause = { kind, t, heard: t, by: ctx.caller.username, comment }
    edits.change(row, patch(row), cause)
    const publish = await writeEdits(tx, edits)
    await publish(tx)
    await recordChange(tx, ctx, {
      resource: 'alarms',
      action: 'update',
      id,
      label: row.name,
      organization: row.org,
      before,
      after: audited(row),
    })
  })
}
