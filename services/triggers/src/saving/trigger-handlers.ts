import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
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
import { PostedTrigger, type savingContract, type TriggerData } from './contract.ts'
import { chainText, loopOf } from './loop-rules.ts'
import { openSecrets, sealSecrets } from './sealed-secrets.ts'
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
import { toTrigger } from './trigger-wire.ts'

/** Most triggers of an organization. */
const mostTriggers = 500
const dayMs = 86_400_000

type Saved = Omit<
  Handlers<typeof savingContract>,
  'blockedActions' | 'setBlockedActions' | 'triggersForDevice' | 'triggerForTrial'
>

export function triggerHandlers(deps: TriggersDeps): Saved {
  const { db, secrets, now } = deps

  const answer = async (rows: readonly TriggerRow[]) => {
    const since = new Date(now().getTime() - dayMs)
    const sums = await sumsSince(
      db,
      rows.map(({ id }) => id),
      since,
    )
    return rows.map((row) =>
      toTrigger(row, { secrets: openSecrets(secrets, row), counters: sums.get(row.id) }),
    )
  }
  const answerOne = async (row: TriggerRow) => {
    const [one] = await answer([row])
    if (!one) throw noTrigger(row.id)
    return one
  }
  /** Checks all of a trigger but the others around it. */
  const prepared = async (ctx: OrgCtx, body: PostedTrigger, before: ActionSecrets) => {
    const split = withoutSecrets(withUuids(body.triggerData), before)
    const { deviceGroups } = body
    const { issues } = await checkTrigger(deps, ctx, { ...split, deviceGroups })
    if (issues.length > 0) throw invalid(issues)
    requireOwnRights(ctx, split.data)
    return split
  }

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

    resumeTrigger: async ({ params: { id } }, ctx) => {
      const found = await findTrigger(db, reachOf(ctx), id)
      if (!found) throw noTrigger(id)
      requireOwnRights(await ctxOf(deps, ctx, found.org), found.data)
      const saved = await db.transaction().execute(async (tx) => {
        const before = await lockTrigger(tx, reachOf(ctx), id)
        if (!before) throw noTrigger(id)
        if (!before.stopped) return before
        const row = {
          ...before,
          ...ownerOf(ctx),
          stopped: null,
          policy_at: ctx.now,
          updated_at: ctx.now,
        }
        await saveTrigger(tx, row)
        const values = { before: { stopped: before.stopped }, after: { stopped: null } }
        await recordChange(tx, ctx, changeOf('update', row, values))
        return row
      })
      return answerOne(saved)
    },

    validateTrigger: async ({ body: { id, trigger } }, ctx) => {
      const found = id === undefined ? undefined : await findTrigger(db, reachOf(ctx), id)
      if (id !== undefined && !found) throw noTrigger(id)
      const read = PostedTrigger.safeParse(trigger)
      if (!read.success) {
        const issues = read.error.issues.slice(0, 50).map(({ path, code, message }) => ({
          place: path.join('.').replace(/^triggerData\./, ''),
          code,
          params: {},
          message,
        }))
        return { ok: false, issues, loop: [] }
      }
      const before = found ? openSecrets(secrets, found) : {}
      const split = withoutSecrets(withUuids(read.data.triggerData), before)
      const { deviceGroups } = read.data
      const { issues } = await checkTrigger(deps, ctx, { ...split, deviceGroups })
      const row = toRow(deps, ctx, { body: read.data, ...split, before: found })
      const isGood = issues.length === 0
      const loop = isGood ? (loopOf(row, await triggersAround(db, row.org)) ?? []) : []
      return { ok: isGood && loop.length === 0, issues, loop }
    },
  }
}

/** Rights of the caller in the organization of a trigger, which may be below that of the call. */
async function ctxOf({ admit }: TriggersDeps, ctx: OrgCtx, org: string): Promise<OrgCtx> {
  if (org === ctx.organization.resourceId) return ctx
  const admission = await admit(ctx.caller, org)
  return admission ? { ...ctx, ...admission, subtree: false } : ctx
}

/** Holds the triggers of a realm until the transaction ends: loops are looked for in all of them. */
const holdTriggers = (tx: Kysely<TriggersDb>, { organization }: OrgCtx) =>
  holdLock(tx, 'triggers.realm', organization.realm)

/** Trigger in which each action has a uuid. */
const withUuids = (data: TriggerData): TriggerData => ({
  ...data,
  actions: data.actions.map((one) => ({ ...one, uuid: one.uuid ?? randomUUID() })),
  longreach: {
    ...data.longreach,
    actions: data.longreach.actions.map((one) => ({ ...one, uuid: one.uuid ?? randomUUID() })),
  },
})

const ownerOf = ({ caller, organization }: OrgCtx) => ({
  owner: caller.sub,
  owner_name: caller.username,
  owner_realm: caller.realm === '' ? organization.realm : caller.realm,
})

type Rows = {
  body: PostedTrigger
  data: TriggerData
  secrets: ActionSecrets
  before?: TriggerRow | undefined
}

function toRow(
  { secrets: sealer }: Pick<TriggersDeps, 'secrets'>,
  ctx: OrgCtx,
  { body, data, secrets, before }: Rows,
): TriggerRow {
  const id = before?.id ?? randomUUID()
  const disabled = body.disabled ?? false
  const isJudgedAsBefore =
    before !== undefined &&
    !before.stopped &&
    before.disabled === disabled &&
    isDeepStrictEqual(before.data.policy, JSON.parse(JSON.stringify(data.policy)))
  return {
    id,
    org: before?.org ?? ctx.organization.resourceId,
    realm: before?.realm ?? ctx.organization.realm,
    name: body.name,
    disabled,
    below: data.longreach.below,
    version: (before?.version ?? 0) + 1,
    device_groups: body.deviceGroups.map(String),
    data,
    secrets: sealSecrets(sealer, id, secrets),
    ...ownerOf(ctx),
    policy_at: isJudgedAsBefore ? before.policy_at : ctx.now,
    stopped: null,
    last_run_at: before?.last_run_at ?? null,
    created_at: before?.created_at ?? ctx.now,
    updated_at: ctx.now,
  }
}

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
