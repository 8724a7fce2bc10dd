import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { platformContract } from '../contract.ts'
import { deviceFor } from '../devices/device-access.ts'
import { valueAccess } from '../devices/path-access.ts'
import { withStorageErrors } from '../telemetry/storage-fault.ts'
import { cutsOf, ruleOf, type StorageDeps } from './retention-run.ts'
import { daysOfLimit, keepDaysOf, limitAbove, type Rule, shorter } from './retention-rules.ts'
import {
  countRules,
  deleteRule,
  lastRun,
  lockRule,
  rulesAbove,
  rulesAround,
  type RuleRow,
  saveRule,
} from './retention-store.ts'
import type { NewRule, RetentionRule, storageEndpoints } from './storage-contract.ts'
import { amountsOf, storageOf } from './storage-used.ts'

type StorageHandlers = Pick<Handlers<typeof platformContract>, keyof typeof storageEndpoints>
/** Most rules of one organization. */
const mostRules = 500
const seriesAtOnce = 1_000

/** Handlers of the calls about stored amounts and retention. */
export const storageHandlers = (deps: StorageDeps): StorageHandlers => ({
  storage: async (_, ctx) => withStorageErrors(() => storageOf(deps, ctx)),

  deviceStorage: async ({ params: { deviceId } }, ctx) => {
    const device = await deviceFor(deps.directory, ctx, deviceId)
    const access = valueAccess(ctx, device)
    const rules = (await rulesAbove(deps.db, device.org)).map(ruleOf)
    const telemetry = await deps.telemetry()
    const asked = { org: device.org, below: false, device: device.id, by: 'path' } as const
    const usage = await withStorageErrors(() => telemetry.usage(asked))
    return usage
      .filter(({ path }) => access.last(path))
      .map((row) => {
        const limit = daysOfLimit(device.byPath.get(row.path)?.leaf.historyLimit)
        const keepDays = shorter(keepDaysOf(rules, device.org, row.path), limit) ?? null
        return { modelPath: row.path, ...amountsOf([row]), keepDays }
      })
  },

  ...ruleHandlers(deps),
})

const ruleHandlers = (deps: StorageDeps) =>
  ({
    retention: async (_, ctx) => {
      const rules = await rulesAbove(deps.db, ctx.organization.resourceId)
      const at = await lastRun(deps.db)
      return { rules: rules.map((row) => toRule(row, ctx)), lastRun: at?.getTime() ?? null }
    },

    saveRetention: async ({ body }, ctx) =>
      deps.db.transaction().execute(async (tx) => {
        const organization = ctx.organization.resourceId
        requireWithinLimit(body, organization, (await rulesAbove(tx, organization)).map(ruleOf))
        const before = await lockRule(tx, organization, body)
        if (!before && (await countRules(tx, organization)) >= mostRules) throw tooManyRules()
        const author = { organization, by: ctx.caller.username, at: ctx.now }
        const row = await saveRule(tx, body, author)
        await recordChange(tx, ctx, {
          resource: 'retention',
          action: before ? 'update' : 'create',
          id: row.id,
          label: labelOf(row),
          ...(before && { before: { keepDays: before.keep_days } }),
          after: { keepDays: row.keep_days },
        })
        return toRule(row, ctx)
      }),

    deleteRetention: async ({ params }, ctx) =>
      deps.db.transaction().execute(async (tx) => {
        const row = await deleteRule(tx, ctx.organization.resourceId, params.rule)
        if (!row) {
          const message =
            'there is no such rule here; one of an organization above is changed there'
          throw failure(platformContract, 'not_found', { message })
        }
        const change = { resource: 'retention', action: 'delete', id: row.id, label: labelOf(row) }
        await recordChange(tx, ctx, { ...change, before: { keepDays: row.keep_days } })
        return undefined
      }),

    previewRetention: async ({ body }, ctx) => {
      const organization = ctx.organization.resourceId
      const around = (await rulesAround(deps.db, organization)).map(ruleOf)
      requireWithinLimit(body, organization, around)
      const others = around.filter((rule) => !isFor(rule, body, organization))
      return withStorageErrors(() =>
        countExpiring(deps, [...others, { organization, ...body }], ctx),
      )
    },
  }) satisfies Partial<StorageHandlers>

const isFor = (rule: Rule, { model, path }: NewRule, organization: string) =>
  rule.organization === organization && rule.model === model && rule.path === path

/** Counts what the rules would take away in the organization and all below, as the job does it. */
async function countExpiring(deps: StorageDeps, rules: readonly Rule[], ctx: OrgCtx) {
  const telemetry = await deps.telemetry()
  const of = { org: ctx.organization.resourceId, below: true }
  const known = { rules, directory: deps.directory, now: ctx.now.getTime() }
  const devices = new Set<string>()
  const total = { paths: 0, values: 0, bytes: 0 }
  for (let after = 0; ;) {
    ctx.signal.throwIfAborted()
    const series = await telemetry.listSeries(after, seriesAtOnce, of)
    const would = await telemetry.wouldExpire(await cutsOf(series, known))
    const hit = new Set(would.series)
    for (const { id, device } of series) if (hit.has(id)) devices.add(device)
    total.paths += hit.size
    total.values += would.values
    total.bytes += would.bytes
    const last = series.at(-1)
    if (!last || series.length < seriesAtOnce) return { devices: devices.size, ...total }
    after = last.id
  }
}

function requireWithinLimit(rule: NewRule, organization: string, rules: readonly Rule[]) {
  if (rule.model !== '' && rule.path !== '') {
    const message = 'a rule is for a model or for a path; leave one of them out'
    throw failure(platformContract, 'retention_two_targets', { message, field: 'path' })
  }
  const limit = limitAbove(rules, organization, rule)
  if (limit === undefined || rule.keepDays <= limit) return
  const message = `an organization above keeps these values for ${limit} days; take ${limit} or fewer`
  throw failure(platformContract, 'retention_longer_than_above', {
    message,
    field: 'keepDays',
    limit,
  })
}

const tooManyRules = () =>
  failure(platformContract, 'too_many_retention_rules', {
    message: `an organization has at most ${mostRules} rules; take some away, or use ** at the end of a path`,
  })

const labelOf = ({ model, path }: Pick<RuleRow, 'model' | 'path'>) => path || model || '**'

const toRule = (row: RuleRow, { organization }: OrgCtx): RetentionRule => ({
  id: row.id,
  organization: row.organization,
  model: row.model,
  path: row.path,
  keepDays: row.keep_days,
  inherited: row.organization !== organization.resourceId,
  changedAt: row.changed_at.getTime(),
  changedBy: row.changed_by,
})
