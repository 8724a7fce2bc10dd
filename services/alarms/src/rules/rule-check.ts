import { readConfiguration } from '@longreach/device-protocol/read-configuration'
import { AppError, failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import { issueAt, type RuleIssue } from '@longreach/rules/issue'
import type { Rule } from '@longreach/rules/rule'
import { validateRule } from '@longreach/rules/validate'
import type { Kysely } from 'kysely'
import { alarmsContract } from '../contract.ts'
import type { AlarmsDb } from '../database.ts'
import type { AlarmsDeps } from '../deps.ts'
import { chainOf } from './rule-sight.ts'
import { rulesOf } from './rule-store.ts'

type Checked = { rule: Rule; issues?: undefined } | { rule?: undefined; issues: RuleIssue[] }
type Asked = { org: string; raw: unknown; id?: string | undefined }

/** Complete rule, or each fault of it: of the fields, and of what they name in the organization. */
export async function checkRule(deps: AlarmsDeps, ctx: OrgCtx, asked: Asked): Promise<Checked> {
  const first = validateRule(asked.raw)
  if (!first.ok) return { issues: first.issues }
  const paths = await pathsOfScope(deps, asked.org, first.rule.scope)
  if (paths.length === 0) return { issues: [scopeIssue(first.rule.scope)] }
  const { id } = asked
  const rules = await unlessOfRules(deps.db, asked.org)
  const judged = validateRule(asked.raw, { paths, rules, ...(id !== undefined && { id }) })
  if (!judged.ok) return { issues: judged.issues }
  const groups = await groupIssues(deps, ctx, judged.rule.deviceGroups)
  return groups.length > 0 ? { issues: groups } : { rule: judged.rule }
}

/** Refusal of a rule with its faults; the message names the first. */
export function ruleInvalid(issues: readonly RuleIssue[]) {
  const [first] = issues
  const more = issues.length > 1 ? ` There are ${issues.length - 1} more faults.` : ''
  return failure(alarmsContract, 'rule_invalid', {
    message: `The rule is wrong at "${first?.place ?? ''}": ${first?.code ?? ''}.${more}`,
    field: first?.place ?? '',
    issues,
  })
}

const scopeIssue = (scope: Rule['scope']) =>
  'model' in scope
    ? issueAt('scope.model', 'unknown_path', { path: scope.model })
    : issueAt('scope.deviceId', 'unknown_path', { path: scope.deviceId })

/** Paths of the model or of the device that a rule is for; none when it is not there. */
async function pathsOfScope({ clients }: AlarmsDeps, org: string, scope: Rule['scope']) {
  if ('model' in scope) {
    const query = { organization: org, model: scope.model }
    return (await clients.mappings.pathsOfModel({ query })).paths
  }
  const { deviceId } = scope
  const device = await clients.mappings
    .deviceForPlatform({ params: { deviceId } })
    .catch((error: unknown) => {
      if (error instanceof AppError && error.status === 404) return undefined
      throw error
    })
  const isHere =
    device && (device.orgResourceId === org || device.orgResourceId.startsWith(`${org}.`))
  if (!isHere) return []
  const leaves = device.configuration === null ? [] : readConfiguration(device.configuration).leaves
  // A device without a preset has no paths, and can be watched for its connection.
  return leaves.length > 0 ? leaves.map(({ path }) => path) : ['-']
}

/** For each rule in sight of the organization the rule that suppresses it, if one does. */
async function unlessOfRules(db: Kysely<AlarmsDb>, org: string) {
  const rows = (await Promise.all(chainOf(org).map((one) => rulesOf(db, one)))).flat()
  return new Map(rows.map(({ id, rule }) => [id, (rule as Rule).unless?.rule])) // as it was checked
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
