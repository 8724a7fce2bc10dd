/** Test of names by a pattern in which `*` stands for any text; capitals do not matter. */
export function nameTest(pattern: string) {
  const [first = '', ...rest] = pattern.toLowerCase().split('*')
  const last = rest.pop()
  return (name: string) => {
    const text = name.toLowerCase()
    if (last === undefined) return text === first
    if (!text.startsWith(first)) return false
    let at = first.length
    for (const part of rest) {
      const found = text.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return text.length - last.length >= at && text.endsWith(last)
  }
}
