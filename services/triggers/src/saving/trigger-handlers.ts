import { reachOf } from '@longreach/authorization/reach'
import { recordChange } from '@longreach/kit/audit-trail'
import { toContentPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import { holdLock } from '@longreach/kit/locks'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { triggersContract } from '../contract.ts'
import { sumsSince } from '../counter-store.ts'
import type { TriggerRow, TriggersDb } from '../database.ts'
import type { TriggersDeps } from '../deps.ts'
import { noTrigger } from '../no-trigger.ts'
import type { PostedTrigger, savingContract } from './contract.ts'
import { chainText, loopOf } from './loop-rules.ts'
import { openSecrets } from './sealed-secrets.ts'
import { type ActionSecrets, withoutSecrets } from './secret-rules.ts'
import { checkTrigger, requireOwnRights } from './trigger-check.ts'
import {
  countTriggers,
  deleteTrigger,
  findTrigger,
  listTriggers,
  lockTrigger,
  saveTrigger,
  triggersAround,
} from './trigger-store.ts'
import { ownerOf, toRow, withUuids } from './trigger-row.ts'
import { toTrigger } from './trigger-wire.ts'
import { validateTrigger } from './validating.ts'

/** Most triggers of an organization. */
const mostTriggers = 500
const dayMs = 86_400_000

type Saved = Omit<
  Handlers<typeof savingContract>,
  | 'blockedActions'
  | 'setBlockedActions'
  | 'blockableActions'
  | 'triggersForDevice'
  | 'triggerForTrial'
>

export function triggerHandlers(deps: TriggersDeps): Saved {
  const { db, secrets } = deps

  const answer = (rows: readonly TriggerRow[]) => answered(deps, rows)
  const answerOne = (row: TriggerRow) => answeredOne(deps, row)
  const prepared = (ctx: OrgCtx, body: PostedTrigger, before: ActionSecrets) =>
    prepare(deps, ctx, body, before)

  return {
    triggers: async ({ query }, ctx) => {
      const { rows, total } = await listTriggers(db, reachOf(ctx), query)
      return toContentPage(await answer(rows), total, query)
    },

    trigger: async ({ params: { id } }, ctx) => {
      const row = await findTrigger(db, reachOf(ctx), id)
      if (!row) throw noTrigger(id)
      return answerOne(row)
    },

    createTrigger: async ({ body }, ctx) => {
      const split = await prepared(ctx, body, {})
      const row = toRow(deps, ctx, { body, ...split })
      await db.transaction().execute(async (tx) => {
        await holdTriggers(tx, ctx)
        if ((await countTriggers(tx, row.org)) >= mostTriggers) throw tooMany()
        await requireNoLoop(tx, row)
        await saveTrigger(tx, row)
        await recordChange(tx, ctx, changeOf('create', row, { after: contentOf(row) }))
      })
      return answerOne(row)
    },

    replaceTrigger: async ({ params: { id }, body }, ctx) => {
      const found = await findTrigger(db, reachOf(ctx), id)
      if (!found) throw noTrigger(id)
      requireVersion(found, body)
      const inOwn = await ctxOf(deps, ctx, found.org)
      const split = await prepared(inOwn, body, openSecrets(secrets, found))
      const saved = await db.transaction().execute(async (tx) => {
        await holdTriggers(tx, ctx)
        const before = await lockTrigger(tx, reachOf(ctx), id)
        if (!before) throw noTrigger(id)
        if (before.version !== found.version) throw changed(before)
        const row = toRow(deps, ctx, { body, ...split, before })
        await requireNoLoop(tx, row)
        await saveTrigger(tx, row)
        const values = { before: contentOf(before), after: contentOf(row) }
        await recordChange(tx, ctx, changeOf('update', row, values))
        return row
      })
      return answerOne(saved)
    },

    deleteTrigger: async ({ params: { id } }, ctx) => {
      await db.transaction().execute(async (tx) => {
        const before = await lockTrigger(tx, reachOf(ctx), id)
        if (!before) throw noTrigger(id)
        await deleteTrigger(tx, before)
        await recordChange(tx, ctx, changeOf('delete', before, { before: contentOf(before) }))
      })
    },

    resumeTrigger: async ({ params: { id } }, ctx) => answerOne(await resume(deps, ctx, id)),

    validateTrigger: validateTrigger(deps),
  }
}

/** Lets a trigger run again that was stopped; who does it becomes its owner. */
async function resume(deps: TriggersDeps, ctx: OrgCtx, id: string): Promise<TriggerRow> {
  const found = await findTrigger(deps.db, reachOf(ctx), id)
  if (!found) throw noTrigger(id)
  requireOwnRights(await ctxOf(deps, ctx, found.org), found.data)
  return deps.db.transaction().execute(async (tx) => {
    const before = await lockTrigger(tx, reachOf(ctx), id)
    if (!before) throw noTrigger(id)
    if (!before.stopped) return before
    const anew = { stopped: null, policy_at: ctx.now, updated_at: ctx.now }
    const row = { ...before, ...ownerOf(ctx), ...anew }
    await saveTrigger(tx, row)
    const values = { before: { stopped: before.stopped }, after: { stopped: null } }
    await recordChange(tx, ctx, changeOf('update', row, values))
    return row
  })
}

/** Triggers on the wire, with the sums of their counters of the last day. */
async function answered({ db, secrets, now }: TriggersDeps, rows: readonly TriggerRow[]) {
  const since = new Date(now().getTime() - dayMs)
  const ids = rows.map(({ id }) => id)
  const sums = await sumsSince(db, ids, since)
  return rows.map((row) =>
    toTrigger(row, { secrets: openSecrets(secrets, row), counters: sums.get(row.id) }),
  )
}

async function answeredOne(deps: TriggersDeps, row: TriggerRow) {
  const [one] = await answered(deps, [row])
  if (!one) throw noTrigger(row.id)
  return one
}

/** Posted trigger without its secrets, checked in all but the others around it. */
async function prepare(
  deps: TriggersDeps,
  ctx: OrgCtx,
  { triggerData, deviceGroups }: PostedTrigger,
  before: ActionSecrets,
) {
  const split = withoutSecrets(withUuids(triggerData), before)
  const { issues } = await checkTrigger(deps, ctx, { ...split, deviceGroups })
  if (issues.length > 0) throw invalid(issues)
  requireOwnRights(ctx, split.data)
  return split
}

/** Rights of the caller in the organization of a trigger, which may be below that of the call. */
export async function ctxOf(
  { admit }: Pick<TriggersDeps, 'admit'>,
  ctx: OrgCtx,
  org: string,
): Promise<OrgCtx> {
  if (org === ctx.organization.resourceId) return ctx
  const admission = await admit(ctx.caller, org)
  return admission ? { ...ctx, ...admission, subtree: false } : ctx
}

/** Holds the triggers of a realm until the transaction ends: loops are looked for in all of them. */
const holdTriggers = (tx: Kysely<TriggersDb>, { organization }: OrgCtx) =>
  holdLock(tx, 'triggers.realm', organization.realm)

function requireVersion(found: TriggerRow, { longreach }: PostedTrigger) {
  const { version } = longreach ?? {}
  if (version !== undefined && version !== found.version) throw changed(found)
}

const changed = ({ version, owner_name: owner }: TriggerRow) =>
  failure(triggersContract, 'changed', {
    message: `${owner} has saved this trigger meanwhile. Load it again and repeat your change.`,
    version,
  })

async function requireNoLoop(tx: Kysely<TriggersDb>, row: TriggerRow) {
  const chain = loopOf(row, await triggersAround(tx, row.org))
  if (!chain) return
  throw failure(triggersContract, 'loop', {
    message: `The trigger would feed itself: ${chainText(chain, row.name)} again. Write another path, or look at another one.`,
    chain,
  })
}

const invalid = (issues: Awaited<ReturnType<typeof checkTrigger>>['issues']) =>
  failure(triggersContract, 'policy_invalid', {
    message: `The trigger has faults; the first is at ${issues[0]?.place ?? ''}: ${issues[0]?.message ?? issues[0]?.code ?? ''}`,
    field: `triggerData.${issues[0]?.place ?? ''}`,
    issues,
  })

const tooMany = () =>
  failure(triggersContract, 'too_many', {
    message: `An organization has at most ${mostTriggers} triggers. Delete one first.`,
  })

/** Trigger as the audit trail has it. */
const contentOf = ({ name, disabled, device_groups: deviceGroups, data, below }: TriggerRow) => ({
  name,
  disabled,
  below,
  deviceGroups,
  policy: data.policy,
  actions: [...data.actions, ...data.longreach.actions],
})

const changeOf = (action: string, { id, name, org }: TriggerRow, values: object) => ({
  resource: 'triggers',
  action,
  id,
  label: name,
  organization: org,
  ...values,
})
