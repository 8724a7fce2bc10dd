import { can } from '@longreach/authorization/can'
import { AppError } from '@longreach/kit/errors'
import { jobKind, type RunningJob, startJob } from '@longreach/kit/jobs'
import type { OrgCtx } from '@longreach/kit/service'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { AlarmsDeps } from '../deps.ts'
import { expressionSql } from '../search/alarm-fields.ts'
import { occurrences, visibleTo } from '../search/visible.ts'
import type { Action } from './action-effect.ts'
import { actOn } from './acting.ts'
import type { actionsContract } from './contract.ts'

/** Alarms up to which an action on all is done while the caller waits. */
const mostAtOnce = 1_000
/** Alarms of one transaction of a job. */
const batch = 500

type Body = z.output<typeof actionsContract.endpoints.acknowledgeAll.body>
const Input = z.object({
  action: z.enum(['ack', 'reset', 'clear']),
  comment: z.string().optional(),
  data: z.string().optional(),
  ids: z.array(z.string()).optional(),
})
type Input = z.output<typeof Input>

/** Alarms on which the action changes something; others would only be skipped. */
const actionable: Record<Action, RawBuilder<boolean>> = {
  ack: sql<boolean>`(o.open and o.ack_required)`,
  reset: sql<boolean>`(o.open and o.reset_required and not o.active)`,
  clear: sql<boolean>`o.open`,
}

/** Action on all open alarms of the call, or on those of `ids` and of the expression `data`; over 1,000 by a job. */
export const actOnAll =
  (deps: AlarmsDeps, action: Action) =>
  async ({ body }: { body: Body }, ctx: OrgCtx) => {
    const { comment, data, ids } = body
    if (body.applyOnlyToVisibleValue && ids === undefined && !data?.trim()) throw nothingVisible()
    const input: Input = {
      action,
      ...(comment !== undefined && { comment }),
      ...(data !== undefined && { data }),
      ...(ids !== undefined && { ids }),
    }
    if (ids !== undefined && !data?.trim()) {
      const acted = await actOn(deps, ctx, { action, comment, ids })
      return { ...acted, jobId: null, total: acted.done.length }
    }
    const found = await alarmsFor(deps, ctx, input, mostAtOnce + 1)
    if (found.length > mostAtOnce) {
      const kind = actionJob
      const asked = { kind, input, service: 'alarms', label: action }
      const jobId = await deps.db.transaction().execute((tx) => startJob(tx, ctx, asked))
      const total = await countFor(deps, ctx, input)
      return { done: [], skipped: [], jobId, total }
    }
    const acted = await actOn(deps, ctx, { action, comment, ids: found })
    return { ...acted, jobId: null, total: found.length }
  }

const nothingVisible = () => {
  const message =
    'ids: name the alarms that are visible by ids or by the expression data, or leave applyOnlyToVisibleValue out'
  const fields = [{ field: 'ids', message }]
  return new AppError(400, 'request.invalid', { message, part: 'body', fields })
}

async function conditionFor({ db }: Pick<AlarmsDeps, 'db'>, ctx: OrgCtx, input: Input) {
  const visible = await visibleTo(db, ctx)
  const { action, data = '', ids } = input
  const conditions = [
    actionable[action],
    visible.rows,
    data.trim() === '' ? undefined : expressionSql(visible, data),
    ids && sql<boolean>`o.id = any(${ids}::text[])`,
  ].filter((one) => one !== undefined)
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** Ids of the alarms of an action, by device, so that a batch locks few. */
async function alarmsFor(
  deps: Pick<AlarmsDeps, 'db'>,
  ctx: OrgCtx,
  input: Input,
  limit?: number,
): Promise<string[]> {
  const where = await conditionFor(deps, ctx, input)
  const { rows } = await sql<{ id: string }>`select o.id from ${occurrences} where ${where}
    ${limit === undefined ? sql`order by o.device_id, o.id` : sql`limit ${sql.lit(limit)}`}`.execute(
    deps.db,
  )
  return rows.map(({ id }) => id)
}

async function countFor(deps: Pick<AlarmsDeps, 'db'>, ctx: OrgCtx, input: Input) {
  const where = await conditionFor(deps, ctx, input)
  const { rows } = await sql<{ total: number }>`select count(*)::int as total from ${occurrences}
    where ${where}`.execute(deps.db)
  return rows[0]?.total ?? 0
}

/** Action on many alarms. Those that somebody else changed meanwhile are left. */
export const actionJob = jobKind<AlarmsDeps, Input>({
  name: 'alarm-action',
  input: Input,
  async run({ input, ctx, eachBatch }: RunningJob<Input>, deps) {
    const { action, comment } = input
    const all = async () => {
      const asking = await ctx()
      return asking ? alarmsFor(deps, asking, input) : []
    }
    await eachBatch<string>(all, {
      size: batch,
      async run(ids, asking) {
        // The person may have lost the right since.
        if (!can(asking.capability, 'alarms', action))
          throw new AppError(403, 'auth.missing_permission', { permission: `alarms:${action}` })
        await actOn(deps, asking, { action, comment, ids })
        return []
      },
    })
    return { action }
  },
})
