import { randomUUID } from 'node:crypto'
import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import { holdLock } from '@longreach/kit/locks'
import type { OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { alarmsContract } from '../contract.ts'
import type { AlarmsDb } from '../database.ts'
import type { CheckedRule } from './rule-check.ts'
import { countRules, deleteRule, insertRule, type RuleRow, updateRule } from './rule-store.ts'

type Tx = Kysely<AlarmsDb>
type Kept = CheckedRule & { below: boolean }

/** Rules of one organization; each device of a model is judged by all of them. */
const mostRules = 5_000

/** One writer of the rules of an organization at a time: their number, and what they name of each other, stay right. */
export const holdRules = (tx: Tx, org: string) => holdLock(tx, 'alarms.rules', org)

/** Creates a rule in an organization. */
export async function createRule(tx: Tx, ctx: OrgCtx, kept: Kept) {
  const org = ctx.organization.resourceId
  await holdRules(tx, org)
  if ((await countRules(tx, org)) >= mostRules) throw tooManyRules()
  const id = randomUUID()
  const row = { ...columnsOf(ctx, kept), id, org, version: 1, created_at: ctx.now }
  await insertRule(tx, row)
  await announce(tx, { after: row })
  await recordRule(tx, ctx, 'create', { after: row })
  return row
}

/** Puts another rule in the place of one that is locked, as its next version. */
export async function replaceRule(tx: Tx, ctx: OrgCtx, before: RuleRow, kept: Kept) {
  const { id, org, created_at } = before
  const row = { ...columnsOf(ctx, kept), id, org, created_at, version: before.version + 1 }
  await updateRule(tx, row)
  await announce(tx, { before, after: row })
  await recordRule(tx, ctx, 'update', { before, after: row })
  return row
}

/** Deletes a rule that is locked; its open alarms end. */
export async function removeRule(tx: Tx, ctx: OrgCtx, before: RuleRow) {
  await deleteRule(tx, before.id, ctx.now)
  await announce(tx, { before })
  await recordRule(tx, ctx, 'delete', { before })
}

/** Event for the processes that judge devices of a rule, before and after a change. */
export async function announce(tx: Tx, { before, after }: { before?: Scoped; after?: Scoped }) {
  const row = after ?? before
  if (!row) return
  const rows = [before, after].filter((one) => one !== undefined)
  await publish(tx, alarmsContract.events.rulesChanged, {
    ruleId: row.id,
    orgResourceId: row.org,
    below: rows.some(({ below }) => below),
    models: [...new Set(rows.flatMap(({ model }) => model ?? []))],
    deviceIds: [...new Set(rows.flatMap(({ device_id }) => device_id ?? []))],
    isDeleted: after === undefined,
  })
}
type Scoped = Pick<RuleRow, 'id' | 'org' | 'below' | 'model' | 'device_id'>

/** Error for a name that another rule of the organization has. */
export const ruleExists = (name: string) =>
  failure(alarmsContract, 'rule_exists', {
    message: `There is a rule called ${name}. Take another name.`,
    field: 'name',
  })

const tooManyRules = () =>
  failure(alarmsContract, 'too_many_rules', {
    message: `An organization has at most ${mostRules} rules. Delete rules that nobody needs.`,
  })

const columnsOf = (ctx: OrgCtx, { rule, modelOrg, below }: Kept) => ({
  below,
  name: rule.name,
  model: 'model' in rule.scope ? rule.scope.model : null,
  model_id: 'model' in rule.scope ? (rule.scope.modelId ?? null) : null,
  model_org: modelOrg,
  device_id: 'deviceId' in rule.scope ? rule.scope.deviceId : null,
  enabled: rule.enabled,
  rule,
  updated_at: ctx.now,
  updated_by: ctx.caller.username,
})

type Written = Pick<RuleRow, 'id' | 'org' | 'name' | 'below'> & { rule: object }

function recordRule(
  tx: Tx,
  ctx: OrgCtx,
  action: string,
  { before, after }: { before?: Written; after?: Written },
) {
  const row = after ?? before
  if (!row) return undefined
  const { id, org: organization, name: label } = row
  return recordChange(tx, ctx, {
    resource: 'alarms',
    action,
    id,
    label,
    organization,
    ...(before && { before: contentOf(before) }),
    ...(after && { after: contentOf(after) }),
  })
}

const contentOf = ({ below, rule }: Written) => ({ below, rule })
