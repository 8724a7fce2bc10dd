import { relativePath } from '@longreach/formula/paths'
import { compileRule } from '@longreach/rules/compile'
import { Rule } from '@longreach/rules/rule'
import type { Needs } from '@longreach/rules/act'
import { type Kysely, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'

/** Version of a rule as far as its occurrences need it. */
export type RuleFacts = {
  rule: Rule
  needs: Needs
  /** Path that a text names, as the device has it. */
  pathOf: (path: string, instance: string) => string
  /** Paths that it judges, as the device has them, for an instance. The first is that of its value. */
  pathsOf: (instance: string) => string[]
}

/** Versions never change; so many are kept in memory. */
const mostKept = 5_000
export type RuleMemory = Map<string, RuleFacts>

type Named = { ruleId: string; ruleVersion: number }
export const versionKey = ({ ruleId, ruleVersion }: Named) => `${ruleId} ${ruleVersion}`

/** Facts of versions of rules; those that are not there are missing. */
export async function readRuleFacts(
  tx: Kysely<AlarmsDb>,
  memory: RuleMemory,
  asked: readonly Named[],
): Promise<void> {
  const missing = asked.filter((one) => !memory.has(versionKey(one)))
  if (missing.length === 0) return
  if (memory.size > mostKept) memory.clear()
  const ids = missing.map(({ ruleId }) => ruleId)
  const versions = missing.map(({ ruleVersion }) => ruleVersion)
  const { rows } = await sql<{ rule_id: string; version: number; rule: unknown }>`
    select v.rule_id, v.version, v.rule from alarms.rule_version v
    where (v.rule_id, v.version) in (
      select id::uuid, version from unnest(${ids}::text[], ${versions}::int[]) as asked(id, version)
      where id ~ '^[0-9a-fA-F-]{36}$')`.execute(tx)
  for (const { rule_id: ruleId, version: ruleVersion, rule } of rows)
    memory.set(versionKey({ ruleId, ruleVersion }), factsOf(Rule.parse(rule)))
}

/** Facts of a rule that was validated. */
export function factsOf(rule: Rule): RuleFacts {
  const { inputs, leavesOf, shown, leaves } = compileRule(rule, {})
  const first = leaves[shown[0] ?? 0]?.inputs[0]
  const judged = inputs.flatMap((input, place) => {
    const path = 'path' in input ? input.path : undefined
    const isJudged = path !== undefined && (leavesOf[place]?.length ?? 0) > 0
    return isJudged ? [{ path, order: place === first ? -1 : place }] : []
  })
  const paths = judged.toSorted((one, other) => one.order - other.order).map(({ path }) => path)
  const model = modelOf(rule)
  return {
    rule,
    needs: { ack: rule.ack, reset: rule.reset },
    pathOf: (path, instance) => devicePath(model, path, instance),
    pathsOf: (instance) => [...new Set(paths.map((path) => devicePath(model, path, instance)))],
  }
}

/** Name with which the paths of a rule begin; undefined for a rule of one device that names none. */
function modelOf({ scope, ...rule }: Rule): string | undefined {
  if ('model' in scope) return scope.model
  return /"([^"/:\\]{1,200}:\d{1,9})\//.exec(JSON.stringify([rule.when, rule.unless]))?.[1]
}

/** Path of a rule as the device has it: with the model's name, and the indexes of the instance. */
function devicePath(model: string | undefined, path: string, instance: string) {
  const indexes = instance.split('.')
  let at = -1
  const placed = relativePath(path).replaceAll('[*]', () => {
    at += 1
    return `[${indexes[at] ?? '*'}]`
  })
  return model === undefined ? placed : `${model}/${placed}`
}
