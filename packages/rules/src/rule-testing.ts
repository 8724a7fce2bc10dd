import type { Change } from './change.ts'
import { compileRule } from './compile.ts'
import type { CompiledRule } from './compiled.ts'
import { replay } from './replay.ts'
import { Rule } from './rule.ts'
import type { Given } from './input.ts'
import { type Instance, newInstance } from './state.ts'
import { step } from './step.ts'

/** Fields of a rule as a person posts it. */
export const rawRule = (given: Readonly<Record<string, unknown>> = {}) => ({
  name: 'Oven too hot',
  scope: { model: 'Oven:1' },
  kind: 'condition',
  when: { path: 'Oven:1/temp', op: '>', value: 230 },
  levels: [{ severity: 3 }],
  ...given,
})

/** Compiled rule of such fields. */
export const compiledOf = (given: Readonly<Record<string, unknown>> = {}, zone?: string) =>
  compileRule(Rule.parse(rawRule(given)), { zone })

/** Values as rows of a time in seconds and the values of the inputs in order; undefined is none. */
export type Row = readonly [t: number, ...v: unknown[]]

/** Values of a row; a pair is a value with its quality. */
const givenOf = ([, ...v]: Row): Given[] =>
  v.flatMap((value, input): Given[] => {
    if (value === undefined) return []
    return Array.isArray(value) ? [[input, value[0], Number(value[1])]] : [[input, value]]
  })

/** Change as a short text with its time in seconds: `10 raise 3`. */
export function textOfChange(change: Change) {
  const { t, kind } = change
  if (kind === 'raise' || kind === 'severity') return `${t / 1_000} ${kind} ${change.severity}`
  if (kind === 'again') return `${t / 1_000} again ${change.count}`
  return `${t / 1_000} ${kind}`
}

/** Changes that rows make one by one, and then the time until `until` (s). */
export function changesOf(rule: CompiledRule, rows: readonly Row[], until = 1_000_000): string[] {
  const changes: Change[] = []
  let instance: Instance = newInstance(rule)
  const take = (t: number, values: Given[]) => {
    const stepped = step(rule, instance, { t, values })
    if (stepped.isLate) throw new Error(`the value at ${t} is late`)
    // What is read back from a database is judged like what is in memory.
    instance = JSON.parse(JSON.stringify(stepped.instance)) as Instance
    changes.push(...stepped.changes)
  }
  for (const row of rows) take(row[0] * 1_000, givenOf(row))
  take(until * 1_000, [])
  return changes.map(textOfChange)
}

/** Changes that a replay of rows makes. */
export function replayedOf(rule: CompiledRule, rows: readonly Row[], until = 1_000_000): string[] {
  const cells = rows.flatMap((row) => givenOf(row).map((given) => ({ t: row[0] * 1_000, given })))
  const page = {
    t: cells.map(({ t }) => t),
    input: cells.map(({ given }) => given[0]),
    v: cells.map(({ given }) => given[1]),
    q: cells.map(({ given }) => given[2] ?? 0),
  }
  return replay(rule, [page], until * 1_000).map(textOfChange)
}
