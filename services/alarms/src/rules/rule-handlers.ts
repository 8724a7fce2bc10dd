import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { alarmsContract } from '../contract.ts'
import type { AlarmsDb } from '../database.ts'
import type { AlarmsDeps } from '../deps.ts'
import { checkRule, checkUnless, ruleInvalid } from './rule-check.ts'
import { createRule, holdRules, removeRule, replaceRule, ruleExists } from './rule-saving.ts'
import { judgedDevice } from './rule-devices.ts'
import { rulesInSight, rulesOfCall } from './rule-sight.ts'
import { findRule, listRules, lockRule, type RuleRow, versionsOf } from './rule-store.ts'
import { toStoredRules } from './rule-wire.ts'

type Keys =
  | 'rules'
  | 'rule'
  | 'createRule'
  | 'replaceRule'
  | 'deleteRule'
  | 'validateRule'
  | 'ruleVersions'
  | 'restoreRule'
type RuleHandlers = Pick<Handlers<typeof alarmsContract>, Keys>
type Tx = Kysely<AlarmsDb>

/** Handlers of rules: list, change, versions. */
export const ruleHandlers = (deps: AlarmsDeps): RuleHandlers => ({
  rules: async ({ query }, ctx) => {
    const { judges, ...wanted } = query
    const judged = judges === undefined ? undefined : await judgedDevice(deps, ctx, judges)
    const asked = { ...wanted, judged }
    const { rows, total } = await listRules(deps.db, rulesInSight(ctx), asked, query)
    const last = (query.page + 1) * query.pageSize >= total
    return { data: await toStoredRules(deps, ctx, rows), totalElements: total, last }
  },

  rule: ({ params: { id } }, ctx) => stored(deps, ctx, id),

  createRule: async ({ body }, ctx) => {
    const checked = await checkRule(deps, ctx, {
      org: ctx.organization.resourceId,
      raw: body.rule,
    })
    if (checked.issues) throw ruleInvalid(checked.issues)
    const make = (tx: Tx) => createRule(tx, ctx, { ...checked, below: body.below })
    const { id } = await saving(deps, checked.rule.name, make)
    return stored(deps, ctx, id)
  },

  replaceRule: async ({ params: { id }, query: { version }, body }, ctx) =>
    changing(deps, ctx, { id, version, raw: body.rule, below: body.below }),

  deleteRule: async ({ params: { id } }, ctx) =>
    deps.db.transaction().execute(async (tx) => {
      await removeRule(tx, ctx, await locked(tx, ctx, id))
      return undefined
    }),

  validateRule: async ({ query: { id }, body }, ctx) => {
    const present = id === undefined ? undefined : await findRule(deps.db, rulesOfCall(ctx), id)
    const org = present?.org ?? ctx.organization.resourceId
    const { issues = [] } = await checkRule(deps, ctx, { org, raw: body.rule, id, present })
    return { ok: issues.length === 0, issues }
  },

  ruleVersions: async ({ params: { id } }, ctx) => {
    if (!(await findRule(deps.db, rulesInSight(ctx), id))) throw noRule(id)
    const rows = await versionsOf(deps.db, id)
    return {
      data: rows.map(({ version, rule, at, by_user }) => ({
        version,
        rule: { ...rule },
        at: at.getTime(),
        by: by_user,
      })),
    }
  },

  restoreRule: async ({ params: { id }, body }, ctx) => {
    if (!(await findRule(deps.db, rulesOfCall(ctx), id))) throw noRule(id)
    const kept = (await versionsOf(deps.db, id)).find(({ version }) => version === body.version)
    if (!kept) {
      const message = `The rule has no version ${body.version}. Take one of its list of versions.`
      throw failure(alarmsContract, 'not_found', { message, field: 'version' })
    }
    return changing(deps, ctx, { id, raw: kept.rule, below: kept.below })
  },
})

type Wanted = { id: string; raw: unknown; below: boolean; version?: number | undefined }

/** Checks a rule and puts it in the place of the present version. */
async function changing(deps: AlarmsDeps, ctx: OrgCtx, { id, raw, below, version }: Wanted) {
  const present = await findRule(deps.db, rulesOfCall(ctx), id)
  if (!present) throw noRule(id)
  const checked = await checkRule(deps, ctx, { org: present.org, raw, id, present })
  if (checked.issues) throw ruleInvalid(checked.issues)
  await saving(deps, checked.rule.name, async (tx) => {
    await holdRules(tx, present.org)
    await checkUnless(tx, present.org, { id, rule: checked.rule })
    const before = await locked(tx, ctx, id)
    if (version !== undefined && before.version !== version) throw ruleChanged(before)
    return replaceRule(tx, ctx, before, { ...checked, below })
  })
  return stored(deps, ctx, id)
}

/** Runs a change in a transaction; the index on names knows first that one is taken. */
const saving = <T>({ db }: AlarmsDeps, name: string, change: (tx: Tx) => Promise<T>): Promise<T> =>
  db
    .transaction()
    .execute(change)
    .catch((error: unknown) => {
      throw (error as { code?: string }).code === '23505' ? ruleExists(name) : error // an error of PostgreSQL
    })

/** Rule that the call may see, as people see it. */
async function stored(deps: AlarmsDeps, ctx: OrgCtx, id: string) {
  const row = await findRule(deps.db, rulesInSight(ctx), id)
  const [one] = row ? await toStoredRules(deps, ctx, [row]) : []
  if (!one) throw noRule(id)
  return one
}

/** Rule that the call may change, held until the transaction ends. */
export async function locked(tx: Tx, ctx: OrgCtx, id: string): Promise<RuleRow> {
  const row = await lockRule(tx, rulesOfCall(ctx), id)
  if (!row) throw noRule(id)
  return row
}

export const noRule = (id: string) =>
  failure(alarmsContract, 'not_found', {
    message: `There is no rule ${id} in this organization.`,
  })

const ruleChanged = ({ version, updated_by }: RuleRow) =>
  failure(alarmsContract, 'rule_changed', {
    message: `${updated_by} saved version ${version} of the rule meanwhile. Load it again and repeat the change.`,
    version,
  })
