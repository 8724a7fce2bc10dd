import type { Pool } from 'pg'
import { Rule } from '../../packages/rules/src/rule.ts'

/** Rule of a bench: a name that is given once, its scope, and what it judges. */
export type BenchRule = {
  name: string
  scope: { model: string } | { deviceId: string }
  path: string
  op: '>' | '<'
  value: number
  severity: number
  ack?: boolean
  text?: string
}

/** Rules written to the tables of alarms before a device connects, as 5,000 calls would take minutes. */
export async function writeRules(pool: Pool, org: string, rules: readonly BenchRule[]) {
  const whole = rules.map(({ name, scope, path, op, value, severity, ack = false, text = '' }) =>
    Rule.parse({
      name,
      scope,
      kind: 'condition',
      when: { path, op, value },
      levels: [{ severity }],
      ack,
      texts: { en: text },
    }),
  )
  await pool.query(
    `with made as (
      insert into alarms.rule (id, org, version, below, name, model, device_id, enabled, rule, created_at, updated_at,
        updated_by)
      select gen_random_uuid(), $1, 1, false, rule->>'name', rule->'scope'->>'model', rule->'scope'->>'deviceId', true,
        rule, now(), now(), 'bench' from unnest($2::jsonb[]) as given(rule) returning *)
    insert into alarms.rule_version (rule_id, version, below, rule, at, by_user)
    select id, 1, false, rule, now(), 'bench' from made`,
    [org, whole.map((rule) => JSON.stringify(rule))],
  )
}
