import { isDeepStrictEqual } from 'node:util'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { alarmsContract } from '../contract.ts'
import type { AlarmsDeps } from '../deps.ts'
import {
  besideOf,
  type CheckedRule,
  checkRule,
  checkUnlessBeside,
  ruleInvalid,
  type Beside,
  rulesBeside,
} from './rule-check.ts'
import { locked } from './rule-handlers.ts'
import { createRule, holdRules, replaceRule } from './rule-saving.ts'
import { type RuleRow, rulesOf } from './rule-store.ts'

type Posted = { below: boolean; rule?: unknown }
/** Rules that are here: those of the organization by name, and all in its sight. */
type Present = { own: Map<string, RuleRow>; beside: Beside }
/** Rule of an import, and what importing it means here. */
type Judged = Posted & {
  name: string
  id?: string | undefined
  checked?: CheckedRule | undefined
  issues: Awaited<ReturnType<typeof checkRule>>['issues']
  outcome: 'new' | 'changed' | 'same' | 'invalid'
}

/** Handlers of rules as a file: all rules of an organization, which another one can take by their names. */
export const ruleTransfer = (
  deps: AlarmsDeps,
): Pick<Handlers<typeof alarmsContract>, 'exportRules' | 'importRules'> => ({
  exportRules: async (_, ctx) => {
    const rows = await rulesOf(deps.db, ctx.organization.resourceId)
    return { rules: rows.map(({ below, rule }) => ({ below, rule })) }
  },

  importRules: async ({ query: { dryRun }, body }, ctx) => {
    const judged = await judgeAll(deps, ctx, body.rules)
    if (!dryRun) await importAll(deps, ctx, judged)
    return {
      data: judged.map(({ name, outcome, issues = [] }) => ({ name, outcome, issues })),
    }
  },
})

async function judgeAll(deps: AlarmsDeps, ctx: OrgCtx, posted: readonly Posted[]) {
  const org = ctx.organization.resourceId
  const rows = await rulesBeside(deps.db, org)
  const own = rows
    .filter((row) => row.org === org)
    .map((row) => [row.name.toLowerCase(), row] as const)
  const present = { own: new Map(own), beside: besideOf(rows) }
  const judged: Judged[] = []
  for (const one of posted) judged.push(await judge(deps, ctx, one, present))
  return judged
}

async function judge(
  deps: AlarmsDeps,
  ctx: OrgCtx,
  posted: Posted,
  { own, beside }: Present,
): Promise<Judged> {
  const name = nameOf(posted.rule)
  const before = own.get(name.toLowerCase())
  const org = ctx.organization.resourceId
  const asked = { org, raw: posted.rule, id: before?.id, present: before, isImported: true }
  const checked = await checkRule(deps, ctx, { ...asked, beside })
  if (checked.issues) return { ...posted, name, issues: checked.issues, outcome: 'invalid' }
  const { rule } = checked
  const isSame = before?.below === posted.below && isDeepStrictEqual(before.rule, { ...rule })
  const outcome = before ? (isSame ? 'same' : 'changed') : 'new'
  return { ...posted, name, id: before?.id, checked, issues: [], outcome }
}

const nameOf = (rule: unknown) =>
  typeof rule === 'object' && rule !== null && 'name' in rule && typeof rule.name === 'string'
    ? rule.name
    : ''

/** Imports all rules, or none when one is wrong. */
async function importAll({ db }: AlarmsDeps, ctx: OrgCtx, judged: readonly Judged[]) {
  const wrong = judged.flatMap(({ issues = [] }, index) =>
    issues.map((issue) => ({ ...issue, place: `rules.${index}.rule.${issue.place}` })),
  )
  if (wrong.length > 0) throw ruleInvalid(wrong)
  await db.transaction().execute(async (tx) => {
    const org = ctx.organization.resourceId
    await holdRules(tx, org)
    const beside = besideOf(await rulesBeside(tx, org))
    for (const { id, checked, below, outcome } of judged) {
      if (!checked || outcome === 'same') continue
      const kept = { ...checked, below }
      if (id === undefined) {
        await createRule(tx, ctx, kept)
        continue
      }
      const { rule } = checked
      checkUnlessBeside(beside, { id, rule })
      await replaceRule(tx, ctx, await locked(tx, ctx, id), kept)
      beside.unless.set(id, rule.unless?.rule)
    }
  })
}
