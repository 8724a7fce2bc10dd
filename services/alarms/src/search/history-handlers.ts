import { failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import { sql } from 'kysely'
import type { z } from 'zod'
import { alarmsContract } from '../contract.ts'
import type { AlarmsDeps } from '../deps.ts'
import type { shownState } from '../occurrences/edits.ts'
import { mayBeAssigned } from './assignee.ts'
import { type AlarmRow, selectAlarms } from './alarm-select.ts'
import { hasReadablePaths, valueFields } from './alarm-wire.ts'
import type { HistoryItem } from './contract.ts'
import { toAlarms } from './search-handlers.ts'
import { seesAllValues, visibleTo } from './visible.ts'

type Named = { params: { id: string } }
type Item = z.input<typeof HistoryItem>

/** Changes of one alarm, oldest first. */
export const alarmHistory =
  (deps: AlarmsDeps) =>
  async ({ params: { id } }: Named, ctx: OrgCtx) => ({
    data: await historyOf(deps, ctx, await alarmOf(deps, ctx, id)),
  })

/** One alarm with its changes. */
export const alarmDetail =
  (deps: AlarmsDeps) =>
  async ({ params: { id } }: Named, ctx: OrgCtx) => {
    const row = await alarmOf(deps, ctx, id)
    const [alarm] = await toAlarms(deps, ctx, [row])
    if (!alarm) throw noAlarm(id)
    const { assignee } = row
    const assigneeIsGone = assignee !== null && !(await mayBeAssigned(deps, assignee, row))
    return { alarm, history: await historyOf(deps, ctx, row), assigneeIsGone }
  }

/** Alarm that the caller may see; 404 for any other. */
async function alarmOf({ db }: Pick<AlarmsDeps, 'db'>, ctx: OrgCtx, id: string) {
  const visible = await visibleTo(db, ctx)
  const where = sql<boolean>`o.id = ${id} and ${visible.rows}`
  const [row] = await selectAlarms(db, { where, order: sql`o.id`, limit: 1 })
  if (!row) throw noAlarm(id)
  return row
}

export const noAlarm = (id: string) =>
  failure(alarmsContract, 'not_found', {
    message: 'There is no such alarm. Its device may have been deleted or moved.',
    id,
  })

/** Changes of an alarm that are shown at once; an alarm that comes and goes for months has more. */
const mostItems = 10_000

async function historyOf(
  { db }: Pick<AlarmsDeps, 'db'>,
  { capability }: OrgCtx,
  row: AlarmRow,
): Promise<Item[]> {
  const changes = await db
    .selectFrom('change')
    .selectAll()
    .where('occurrence', '=', row.id)
    .orderBy('n', 'desc')
    .limit(mostItems)
    .execute()
  const showsText = seesAllValues(capability, row.groups)
  const showsValues = showsText || hasReadablePaths(row)
  const sorted = changes.toSorted(
    (one, other) => one.t.getTime() - other.t.getTime() || one.n - other.n,
  )
  return sorted.map(({ n, kind, heard_t, by_user, comment, state, t }) => {
    const then = state as Shown // written by this service
    const { reason = null } = then
    const value = showsValues ? (then.value as { value: unknown } | null) : null
    return {
      status: then.cleared ? 'CLEARED' : then.active ? 'ACTIVE' : 'NOT_ACTIVE',
      ack: then.ackRequired ? 'REQUIRED' : 'NOT_REQUIRED',
      reset: then.resetRequired ? 'REQUIRED' : 'NOT_REQUIRED',
      enabled: then.enabled ? 'ENABLED' : 'NOT_ENABLED',
      action: then.action,
      description: showsText ? then.description : '',
      severity: then.severity,
      updatedAt: t.getTime(),
      value: value?.value ?? null,
      ...valueFields(value),
      longreach: { n, kind, heardAt: heard_t.getTime(), by: by_user, comment, reason },
    }
  })
}

type Shown = ReturnType<typeof shownState> & { reason?: string }
