const secretName =
  /pass(word|phrase|code)|secret|token|(?<!auth)otp|^pin$|private_?key|activation_?key|api_?key$|credential|recovery|^key$/i
const largest = 16 * 1024

/**
 * A copy for the audit trail: texts under names such as `password`, `secret` or `apiKey` become `***`,
 * and what is larger than 16 kB is left out with its size told.
 */
export function masked(value: unknown): unknown {
  const text = maskedText(value)
  if (text === undefined) return undefined
  if (text.length > largest) return { leftOut: `${text.length} characters` }
  return JSON.parse(text.replaceAll(notStorable, '$1\ufffd')) as unknown
}

/** More than fit into the largest text: a value with more is not looked through. */
const mostValues = 10_000
class TooMany extends Error {}

function maskedText(value: unknown): string | undefined {
  let seen = 0
  try {
    return JSON.stringify(value, (name, inner: unknown) => {
      seen += 1
      if (seen > mostValues) throw new TooMany()
      return secretName.test(name) ? hidden(inner) : inner
    })
  } catch (error) {
    if (!(error instanceof TooMany)) throw error
    return JSON.stringify({ leftOut: `more than ${mostValues} values` })
  }
}

function hidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hidden)
  return typeof value === 'string' || typeof value === 'number' ? '***' : value
}

/** In JSON text: the escapes of NUL and of half a surrogate pair, which PostgreSQL does not take. */
const notStorable = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/gi

/** A text that the database takes: without NUL and half surrogate pairs. */
export const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd')
