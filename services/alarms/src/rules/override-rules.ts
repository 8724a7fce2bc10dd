import type { Override } from './contract.ts'

/** Rule of a device: limits and delays of the override in place of those of the rule, unchecked. */
export function overridden(rule: object, { levels, onDelayMs, offDelayMs }: Override): object {
  const own: unknown = 'levels' in rule ? rule.levels : []
  const list = Array.isArray(own) ? own : []
  return {
    ...rule,
    levels: list.map((level: object, index) => ({ ...level, ...levels[index] })),
    ...(onDelayMs !== undefined && { onDelayMs }),
    ...(offDelayMs !== undefined && { offDelayMs }),
  }
}
