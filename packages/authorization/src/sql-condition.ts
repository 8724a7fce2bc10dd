/** SQL condition as the parts of a template: `values[0]` stands between `strings[0]` and `strings[1]`. */
export type SqlCondition = { strings: string[]; values: unknown[] }

/** Builder of a condition from texts and values. Texts come from code, never from a request. */
export function condition() {
  const strings = ['']
  const values: unknown[] = []
  const built = {
    text(text: string) {
      strings.push(`${strings.pop() ?? ''}${text}`)
      return built
    },
    value(value: unknown) {
      values.push(value)
      strings.push('')
      return built
    },
    add(other: SqlCondition) {
      const [first = '', ...rest] = other.strings
      built.text(first)
      values.push(...other.values)
      strings.push(...rest)
      return built
    },
    end: (): SqlCondition => ({ strings, values }),
  }
  return built
}
