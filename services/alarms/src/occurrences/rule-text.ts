import { inputPath } from '@longreach/rules/compile-leaf'
import { parseText } from '@longreach/rules/texts'
import type { RuleFacts } from './rule-facts.ts'

/** Values at the raise of an alarm, as they are stored. */
export type StoredWords = { value: unknown; limit?: unknown; values: Record<string, unknown> }

/**
 * Text of a rule with the values of its raise, for clients of the existing wire, which have one text: English,
 * or else the first language that there is.
 */
export function descriptionOf(
  { rule: { texts } }: Pick<RuleFacts, 'rule'>,
  label: string,
  { value, limit, values }: StoredWords,
): string {
  const text = texts.en ?? Object.values(texts).find((one) => one !== undefined) ?? ''
  return parseText(text)
    .map((part) => {
      switch (part.kind) {
        case 'device':
          return label
        case 'value':
          return shownValue(value, part.digits)
        case 'limit':
          return shownValue(limit, part.digits)
        case 'path':
          return shownValue(values[inputPath(part.path)], part.digits)
        default:
          return part.text
      }
    })
    .join('')
    .slice(0, 10_000)
}

function shownValue(value: unknown, digits?: number): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'number' && digits !== undefined) return value.toFixed(digits)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
