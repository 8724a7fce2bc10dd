const secretName =
  /pass(word|phrase|code)|secret|token|(?<!auth)otp|^pin$|private_?key|activation_?key|api_?key$|credential|recovery|^key$/i
const largest = 16 * 1024

/**
 * Copy for the audit trail: texts under names such as `password`, `secret` or `apiKey` become
 * `***`; a value above 16 kB is replaced by its size.
 */
export function masked(value: unknown): unknown {
  const text = maskedText(value)
  if (text === undefined) return undefined
  if (text.length > largest) return { leftOut: `${text.length} characters` }
  return JSON.parse(text.replaceAll(notStorable, '$1\ufffd')) as unknown
}

/** Upper bound of values to look through; a larger value exceeds the text limit anyway. */
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

/** JSON escapes of NUL and of lone surrogates, which PostgreSQL refuses. */
const notStorable = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/gi

/** Text without NUL and lone surrogates, which PostgreSQL refuses. */
export const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd')
