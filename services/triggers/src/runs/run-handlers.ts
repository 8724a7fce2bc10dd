import { pathReach, reaches } from '@longreach/authorization/can-path'
import { rightsIn } from '@longreach/authorization/device-visibility'
import { type Reach, reachOf } from '@longreach/authorization/reach'
import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { z } from 'zod'
import { triggersContract } from '../contract.ts'
import type { RunActionRow, RunRow } from '../database.ts'
import type { TriggersDeps } from '../deps.ts'
import { noTrigger } from '../no-trigger.ts'
import { findTrigger } from '../saving/trigger-store.ts'
import type { Run, RunDetail, runsContract } from './contract.ts'
import { readNext, toNext } from './run-rules.ts'
import { actionsOfRuns, findRun, listRuns } from './run-store.ts'

type Asked = Omit<Parameters<typeof listRuns>[3], 'after'> & { next?: string | undefined }

/** Runs of triggers as people may see them. */
export function runHandlers({ db }: TriggersDeps): Handlers<typeof runsContract> {
  const pageOf = async (ctx: OrgCtx, reach: Reach, { next, ...asked }: Asked) => {
    const after = next === undefined ? undefined : readNext(next)
    if (next !== undefined && !after) {
      const message = 'next is not the one of an answer; leave it out for the first page'
      throw failure(triggersContract, 'bad_next', { message, field: 'next' })
    }
    const rows = await listRuns(db, ctx, reach, { ...asked, after })
    const page = rows.slice(0, asked.pageSize)
    const actions = await actionsOfRuns(
      db,
      page.map(({ id }) => id),
    )
    const byRun = Map.groupBy(actions, (one) => one.run_id)
    const last = page.at(-1)
    return {
      data: page.map((row) => toRun(ctx, row, byRun.get(row.id) ?? [])),
      next: last && rows.length > page.length ? toNext(last) : null,
    }
  }

  return {
    runs: ({ query }, ctx) => pageOf(ctx, reachOf(ctx), query),

    runsOfTrigger: async ({ params: { id }, query }, ctx) => {
      const trigger = await findTrigger(db, reachOf(ctx), id)
      if (!trigger) throw noTrigger(id)
      return pageOf(ctx, reachOf(ctx), { ...query, trigger: id })
    },

    run: async ({ params: { id, run } }, ctx) => {
      const row = await findRun(db, ctx, reachOf(ctx), { trigger: id, run })
      if (!row) {
        const message = `There is no run ${run} of this trigger here`
        throw failure(triggersContract, 'not_found', { message })
      }
      return toDetail(ctx, row, await actionsOfRuns(db, [run]))
    },
  }
}

type Actions = readonly RunActionRow[]

/** Run in a list; its words stay away where the reader may not read a path in them. */
const toRun = (ctx: OrgCtx, row: RunRow, actions: Actions): z.input<typeof Run> => ({
  id: row.id,
  triggerId: row.trigger_id,
  triggerName: row.trigger_name,
  orgResourceId: row.org,
  deviceId: row.device_id,
  deviceLabel: row.device_label,
  firedAt: row.fired_at,
  at: row.at.getTime(),
  kind: row.kind,
  reason: row.reason as z.input<typeof Run>['reason'], // as it was inserted
  text: seesAll(ctx, row) ? row.text : '',
  isDone: row.done,
  actions: actions.map(({ type, state }) => ({ type, state })),
})

/** Test of the paths of the device of a run that the reader may read. */
function pathTestOf(ctx: OrgCtx, { device_org: org, device_groups: groups }: RunRow) {
  const reach = pathReach(rightsIn(ctx, org), 'read', groups)
  return (path: string) => path === 'connection' || reaches(reach, path)
}

const seesAll = (ctx: OrgCtx, row: RunRow) => {
  const mayRead = pathTestOf(ctx, row)
  return row.inputs.every(({ path }) => mayRead(path))
}

function toDetail(ctx: OrgCtx, row: RunRow, actions: Actions): z.input<typeof RunDetail> {
  const mayRead = pathTestOf(ctx, row)
  const seesWords = seesAll(ctx, row)
  return {
    ...toRun(ctx, row, actions),
    version: row.version,
    instance: row.instance,
    owner: row.owner_name,
    inputs: row.inputs.map(({ path, value, isCause }) => ({
      path,
      value: mayRead(path) ? value : null,
      t: isCause ? row.fired_at : null,
      isCause,
      hidden: !mayRead(path),
    })),
    conditions: row.conditions.map(({ place, path, truth, since, timeMs }) => ({
      place,
      path,
      truth,
      since,
      timeMs,
      dueAt: since === null || timeMs === 0 ? null : since + timeMs,
    })),
    actions: actions.map((one) => ({
      uuid: one.uuid,
      type: one.type,
      state: one.state,
      request: seesWords ? one.request : '',
      answer: one.answer,
      ms: one.ms,
      deliveryId: one.delivery_id,
      throttledUntil: one.throttled_until?.getTime() ?? null,
    })),
    chain: row.chain.map(({ runId, triggerId, name, path, at }) => ({
      runId,
      triggerId,
      name,
      path,
      at,
    })),
  }
}
