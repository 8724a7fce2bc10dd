import { createHash } from 'node:crypto'
import { compileRule } from '@longreach/rules/compile'
import type { CompiledRule } from '@longreach/rules/compiled'
import { type Condition, isLeaf, Rule } from '@longreach/rules/rule'
import type { DeviceRule } from '../devices/device.ts'
import type { GivenRule, Override } from './alarm-types.ts'

/** Compiled rules that are kept; many devices have the same. */
const mostKept = 20_000

type Given = Pick<GivenRule, 'id' | 'version' | 'rule' | 'override'>

/** Compiler of rules that keeps what it compiled, for all devices of a process. */
export function createRuleCompiler() {
  const kept = new Map<string, CompiledRule>()
  const rules = new Map<string, DeviceRule>()
  return {
    /** Rule of a device, which devices with the same one share; throws for one that cannot be compiled. */
    deviceRule(given: Given, zone?: string): DeviceRule {
      const text = JSON.stringify([given.id, given.version, given.rule, given.override, zone])
      const known = rules.get(text)
      if (known) return known
      const { id, version, override } = given
      const rule = overridden(Rule.parse(given.rule), override)
      const own = rule.schedule?.zone === 'device' ? zone : undefined
      const key = textKey(rule, own)
      const made = { id, version, key, rule, zone: own, ...this.compiled(key, rule, own) }
      if (rules.size >= mostKept) rules.clear()
      rules.set(text, made)
      return made
    },
    /** Compiled form of a rule, by its key. */
    compiled(key: string, rule: Rule, zone: string | undefined) {
      const compiled = kept.get(key) ?? compileRule(rule, { zone })
      if (kept.size >= mostKept) kept.clear()
      kept.set(key, compiled)
      const isByArrival = compiled.inputs.some(
        ({ kind }) => kind === 'arrival' || kind === 'connection',
      )
      return { compiled, isByArrival }
    },
  }
}
export type RuleCompiler = ReturnType<typeof createRuleCompiler>

const textKey = (rule: Rule, zone: string | undefined) =>
  createHash('sha256')
    .update(JSON.stringify([rule, zone]))
    .digest('base64url')
    .slice(0, 22)

/** Rule with the limits and delays of a device. */
function overridden(rule: Rule, override: Override | null): Rule {
  if (!override) return rule
  const { levels: changes, onDelayMs, offDelayMs } = override
  const levels = rule.levels.map((level, index) => ({
    ...level,
    ...(isSet(changes[index]?.value) && { value: changes[index].value }),
    ...(isSet(changes[index]?.clear) && { clear: changes[index].clear }),
  }))
  const changed = {
    ...rule,
    levels,
    ...(onDelayMs !== undefined && { onDelayMs }),
    ...(offDelayMs !== undefined && { offDelayMs }),
  }
  return Rule.parse(
    rule.kind === 'condition' ? { ...changed, when: withLimit(rule.when, changes[0]) } : changed,
  )
}

const isSet = (value: unknown) => value !== undefined && value !== null

type Changed = Override['levels'][number] | undefined

/** Condition whose first comparison has another limit, where the condition has it and not the level. */
function withLimit(condition: Condition, change: Changed): unknown {
  if (!change) return condition
  let isDone = false
  const changed = (one: Condition): unknown => {
    if (!isLeaf(one)) {
      if ('not' in one) return { not: changed(one.not) }
      return 'all' in one ? { all: one.all.map(changed) } : { any: one.any.map(changed) }
    }
    if (isDone || one.value === undefined || one.op === 'changed') return one
    isDone = true
    return {
      ...one,
      ...(isSet(change.value) && { value: change.value }),
      ...(isSet(change.clear) && { clear: change.clear }),
    }
  }
  return changed(condition)
}
