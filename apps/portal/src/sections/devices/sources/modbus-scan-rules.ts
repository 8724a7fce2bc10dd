const mostUnits = 32

/** `1, 3-5` as unit numbers; what is none is left out, and no more than one scan takes. */
export function unitsOf(text: string): number[] {
  const units = text.split(',').flatMap((part) => {
    const [, first = '', last = first] = /^\s*(\d{1,3})\s*(?:-\s*(\d{1,3})\s*)?$/.exec(part) ?? []
    if (first === '') return []
    const [from, to] = [Number(first), Math.min(Number(last), 255)]
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  })
  return [...new Set(units)].filter((unit) => unit <= 255).slice(0, mostUnits)
}
