import { can } from '@longreach/authorization/can'
import { AppError } from '@longreach/kit/errors'
import { jobKind, type RunningJob, startJob } from '@longreach/kit/jobs'
import type { OrgCtx } from '@longreach/kit/service'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { AlarmsDeps } from '../deps.ts'
import { timeOf } from '../search/held-time.ts'
import { filterConditions, listedOpen } from '../search/list-filter.ts'
import { occurrences, visibleTo } from '../search/visible.ts'
import type { Action } from './action-effect.ts'
import { actOn } from './acting.ts'
import { AllAlarms } from './contract.ts'

/** Alarms up to which an action on all is done while the caller waits. */
const mostAtOnce = 1_000
/** Alarms of one transaction of a job. */
const batch = 1_000

type Body = z.output<typeof AllAlarms>
const Input = AllAlarms.omit({ applyOnlyToVisibleValue: true }).extend({
  action: z.enum(['ack', 'reset', 'clear']),
})
type Input = z.output<typeof Input>

/** Alarms on which the action changes something; others would only be skipped. */
const actionable: Record<Action, RawBuilder<boolean>> = {
  ack: sql<boolean>`(o.open and o.ack_required)`,
  reset: sql<boolean>`(o.open and o.reset_required and not o.active)`,
  clear: sql<boolean>`o.open`,
}

/**
 * Action on all open alarms of the call, or on those that are named, found by the expression or by the filter;
 * over 1,000 by a job.
 */
export const actOnAll =
  (deps: AlarmsDeps, action: Action) =>
  async ({ body: { applyOnlyToVisibleValue, ...asked } }: { body: Body }, ctx: OrgCtx) => {
    const { comment, data = '', ids, filter } = asked
    const isFound = data.trim() !== '' || filter !== undefined
    if (applyOnlyToVisibleValue && ids === undefined && !isFound) throw nothingVisible()
    if (ids !== undefined && !isFound) {
      const acted = await actOn(deps, ctx, { action, comment, ids })
      return { ...acted, jobId: null, total: acted.done.length }
    }
    const input: Input = { action, ...asked }
    const found = await alarmsFor(deps, ctx, input, mostAtOnce + 1)
    if (found.length > mostAtOnce) {
      const job = { kind: actionJob, input, service: 'alarms', label: action }
      const jobId = await deps.db.transaction().execute((tx) => startJob(tx, ctx, job))
      const total = await countFor(deps, ctx, input)
      return { done: [], skipped: [], jobId, total }
    }
    const acted = await actOn(deps, ctx, { action, comment, ids: found })
    return { ...acted, jobId: null, total: found.length }
  }

const nothingVisible = () => {
  const message =
    'ids: name the alarms that are visible by ids, by the expression data or by filter, or leave applyOnlyToVisibleValue out'
  const fields = [{ field: 'ids', message }]
  return new AppError(400, 'request.invalid', { message, part: 'body', fields })
}

async function conditionFor({ db }: Pick<AlarmsDeps, 'db'>, ctx: OrgCtx, input: Input) {
  const visible = await visibleTo(db, ctx)
  const { action, data, ids, filter } = input
  const heardUntil = filter?.heardUntil
  const conditions = [
    actionable[action],
    visible.rows,
    ...(await filterConditions(db, visible, { ...filter, data })),
    filter && listedOpen,
    ids && sql<boolean>`o.id = any(${ids}::text[])`,
    heardUntil === undefined ? undefined : sql<boolean>`o.heard_t <= ${timeOf(heardUntil)}`,
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
