import type { MessageId } from '@longreach/ui/use-words'
import type { Tag } from '../../../parts/devices/tags.ts'

/** Result of reading a text as a value of a tag: the value, or the id of the message about its fault. */
type Wish = { value: unknown } | { problem: MessageId }

/**
 * Reads what a person typed for a tag. Numbers may have a comma or a dot as decimal sign; grouping
 * signs are refused, since `1.234` would be guessed.
 */
export function readWish(
  text: string,
  { type, min, max }: Pick<Tag, 'type' | 'min' | 'max'>,
): Wish {
  if (type === 'string') return { value: text }
  if (type === 'boolean') return { value: text === 'true' }
  if (type !== 'integer' && type !== 'double') return readJson(text)
  const plain = text.trim().replace(',', '.')
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain))
    return { problem: 'devices.write.noNumber' }
  const value = Number(plain)
  const problem = (type === 'integer' && integerProblem(value)) || limitProblem(value, { min, max })
  return problem ? { problem } : { value }
}

function integerProblem(value: number) {
  if (!Number.isInteger(value)) return 'devices.write.noInteger'
  return Math.abs(value) > 2_147_483_647 ? 'devices.write.tooLarge' : undefined
}

type Limits = { min?: number | undefined; max?: number | undefined }

function limitProblem(value: number, { min, max }: Limits) {
  if (min !== undefined && value < min) return 'devices.write.belowLimit'
  return max !== undefined && value > max ? 'devices.write.aboveLimit' : undefined
}

function readJson(text: string): Wish {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return { problem: 'devices.write.noJson' }
  }
}

/** The text with which the field starts. */
export const wishText = (value: unknown) => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A device confirms a number when it reports it as closely as its own type holds it. */
export function isSame(wished: unknown, reported: unknown) {
  if (typeof wished !== 'number' || typeof reported !== 'number')
    return JSON.stringify(wished) === JSON.stringify(reported)
  return Math.abs(wished - reported) <= Math.max(1e-9, Math.abs(wished) * 1e-6)
}

type Change = { from: unknown; to: unknown; span: number | undefined }

/**
 * A change that a slip of the finger may have made, where the model sets no limits: by more than half
 * of the value, or by more than ten times what the value usually moves.
 */
export function isLargeChange({ from, to, span }: Change, { min, max }: Limits) {
  if (typeof from !== 'number' || typeof to !== 'number') return false
  if (min !== undefined && max !== undefined) return false
  const change = Math.abs(to - from)
  const beyondValue = from !== 0 && change > Math.abs(from) / 2
  return beyondValue || (span !== undefined && span > 0 && change > 10 * span)
}

/**
 * A number that was perhaps typed in the unit in which the person reads the live value: nearer to what
 * they read, such as 365 °F, than to what the device has, such as 185 °C. Limits may hold both.
 */
export function isNearer(to: unknown, { live, read }: { live: unknown; read: unknown }) {
  if (typeof to !== 'number' || typeof live !== 'number' || typeof read !== 'number') return false
  return Math.abs(to - read) < Math.abs(to - live)
}
