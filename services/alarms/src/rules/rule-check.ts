import { failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import { issueAt, type RuleIssue } from '@longreach/rules/issue'
import type { Rule } from '@longreach/rules/rule'
import { validateRule } from '@longreach/rules/validate'
import type { Kysely } from 'kysely'
import { alarmsContract } from '../contract.ts'
import type { AlarmsDb } from '../database.ts'
import type { AlarmsDeps } from '../deps.ts'
import { type AskedScope, findScope } from './rule-scope.ts'
import { chainOf } from './rule-sight.ts'
import { rulesOf } from './rule-store.ts'

/** Rule that is complete, and the organization that has its model; null for a rule of one device. */
export type CheckedRule = { rule: Rule; modelOrg: string | null }
type Checked = (CheckedRule & { issues?: undefined }) | { rule?: undefined; issues: RuleIssue[] }
type Asked = Pick<AskedScope, 'org' | 'present' | 'isImported'> & {
  raw: unknown
  id?: string | undefined
  /** Rules in sight of the organization, where many rules are judged beside the same ones. */
  beside?: Beside | undefined
}

/** Complete rule, or each fault of it: of the fields, and of what they name in the organization. */
export async function checkRule(deps: AlarmsDeps, ctx: OrgCtx, asked: Asked): Promise<Checked> {
  const first = validateRule(asked.raw)
  if (!first.ok) return { issues: first.issues }
  const { id, org, present, isImported } = asked
  const found = await findScope(deps, { org, scope: first.rule.scope, present, isImported })
  if (Array.isArray(found)) return { issues: found }
  const { paths, scope, modelOrg } = found
  const beside = asked.beside ?? besideOf(await rulesBeside(deps.db, org))
  const rules = beside.unless
  const judged = validateRule(asked.raw, { paths, rules, ...(id !== undefined && { id }) })
  if (!judged.ok) return { issues: judged.issues.map((issue) => withNames(issue, beside)) }
  const groups = await groupIssues(deps, ctx, judged.rule.deviceGroups)
  return groups.length > 0 ? { issues: groups } : { rule: { ...judged.rule, scope }, modelOrg }
}

/** Refusal of a rule with its faults; the message names the first. */
export function ruleInvalid(issues: readonly RuleIssue[]) {
  const [first] = issues
  const more = issues.length > 1 ? ` There are ${issues.length - 1} more faults.` : ''
  return failure(alarmsContract, 'rule_invalid', {
    message: `The rule is wrong at "${first?.place ?? ''}": ${first ? faultText(first) : ''}.${more}`,
    field: first?.place ?? '',
    issues,
  })
}

/** Fault in words where the way out is not told by its code alone. */
function faultText({ code, params, nearest }: RuleIssue) {
  switch (code) {
    case 'ambiguous_model':
      return `several models are called ${params['model']}; name one in scope.modelId: ${params['choices']}`
    case 'unknown_model':
      return `no model ${params['model']} has the id ${params['modelId']}; take one of ${params['choices']}`
    default:
      return nearest === undefined ? code : `${code}; the nearest is ${nearest}`
  }
}

/** Rules in sight of an organization: its own and those of organizations above. */
export const rulesBeside = async (db: Kysely<AlarmsDb>, org: string) =>
  (await Promise.all(chainOf(org).map((one) => rulesOf(db, one)))).flat()

/** Rules by their ids: their names, and for each the rule that suppresses it, if one does. */
export type Beside = { names: Map<string, string>; unless: Map<string, string | undefined> }

/** Names of rules of the store, and what suppresses them. */
export const besideOf = (rows: Awaited<ReturnType<typeof rulesBeside>>): Beside => ({
  names: new Map(rows.map(({ id, name }) => [id, name])),
  unless: new Map(rows.map(({ id, rule }) => [id, (rule as Rule).unless?.rule])), // as it was checked
})

/** Refuses a rule that closes a cycle with one that was saved at the same time; the organization's rules are held. */
export async function checkUnless(
  tx: Kysely<AlarmsDb>,
  org: string,
  changed: { id: string; rule: Rule },
) {
  if (changed.rule.unless?.rule === undefined) return
  checkUnlessBeside(besideOf(await rulesBeside(tx, org)), changed)
}

/** Refuses a rule that closes a cycle with rules that are held. */
export function checkUnlessBeside(beside: Beside, { id, rule }: { id: string; rule: Rule }) {
  const judged = validateRule(rule, { id, rules: beside.unless })
  if (!judged.ok) throw ruleInvalid(judged.issues.map((issue) => withNames(issue, beside)))
}

/** Issue whose cycle of rules is told by their names. */
function withNames(issue: RuleIssue, { names }: Beside): RuleIssue {
  const { chain } = issue.params
  if (issue.code !== 'unless_cycle' || typeof chain !== 'string') return issue
  const named = chain.split(' → ').map((id) => names.get(id) ?? id)
  return { ...issue, params: { ...issue.params, chain: named.join(' → ') } }
}

/** Device groups of a rule that the organization does not have. */
async function groupIssues({ clients }: AlarmsDeps, ctx: OrgCtx, groups: readonly string[]) {
  if (groups.length === 0) return []
  const { caller, organization, subtree, ip } = ctx
  const ids = groups.filter((id) => /^\d{1,9}$/.test(id)).map(Number)
  const body = { caller, organization: organization.resourceId, subtree, ip, groupIds: ids }
  const found = new Set((await clients.core.findPlaces({ body })).groupIds.map(String))
  return groups.flatMap((id, index) =>
    found.has(id) ? [] : [issueAt(`deviceGroups.${index}`, 'unknown_path', { path: id })],
  )
}
