const secretName =
  /pass(word|phrase|code)|secret|token|(?<!auth)otp|^pin$|private_?key|activation_?key|api_?key$|credential|recovery|^key$/i
const largest = 16 * 1024

/**
 * A copy for the audit trail: texts under names such as `password`, `secret` or `apiKey` become `***`,
 * and what is larger than 16 kB is left out with its size told.
 */
export function masked(value: unknown): unknown {
  const text = JSON.stringify(value, (name, inner: unknown) =>
    (typeof inner === 'string' || typeof inner === 'number') && secretName.test(name)
      ? '***'
      : inner,
  )
  if (text === undefined) return undefined
  if (text.length > largest) return { leftOut: `${text.length} characters` }
  return JSON.parse(text) as unknown
}
