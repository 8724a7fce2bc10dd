import type { Endpoint } from './contract.ts'
import { AppError } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Largest number of values in a body of this route. */
    mostValues?: number
  }
}

/** Largest number of values in a body when the call declares no `mostValues`. */
export const usualValues = 50_000

/** Largest number of values in a body; calls between services are limited by bytes alone. */
export const mostValuesOf = ({ mostValues, access }: Endpoint) =>
  mostValues ?? (access === 'service' ? Number.POSITIVE_INFINITY : usualValues)

/**
 * Refusal of a JSON text with too many values. It runs before parsing, because many small objects
 * cost much memory once parsed.
 */
export function valuesAbove(limit: number, text: string) {
  // Each value takes at least two characters.
  if (text.length <= 2 * limit || valuesIn(text) <= limit) return undefined
  const message = `The body of this call may have at most ${limit} values, lists and objects included. Send less.`
  return new AppError(413, 'request.too_many_values', { message, field: 'body', limit })
}

const quote = '"'.charCodeAt(0)
const backslash = '\\'.charCodeAt(0)
/** Characters that are followed by one more value. */
const before: ReadonlySet<number> = new Set([...',[{'].map((sign) => sign.charCodeAt(0)))

function valuesIn(text: string) {
  let count = 1
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (sign === quote) at = endOfText(text, at)
    else if (before.has(sign)) count += 1
  }
  return count
}

/** Index of the closing quote of the JSON string that begins at `from`. */
function endOfText(text: string, from: number) {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return at
  }
  return text.length
}
