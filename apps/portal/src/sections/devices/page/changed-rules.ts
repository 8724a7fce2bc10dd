/** Figures of a value over a range. */
export type Figures = {
  path: string
  first: number | null
  last: number | null
  low: number | null
  high: number | null
}

export type Changed = Figures & { weight: number }

type TextOf = (path: string, value: number | null) => string

/** The values that moved within the range as far as one can read, those first that moved most for what they are. */
export function mostChanged(figures: readonly Figures[], most: number, textOf: TextOf): Changed[] {
  return figures
    .map((one) => ({ ...one, weight: weightOf(one) }))
    .filter(({ weight }) => weight > 0)
    .filter(({ path, low, high }) => textOf(path, low) !== textOf(path, high))
    .toSorted((a, b) => b.weight - a.weight || a.path.localeCompare(b.path))
    .slice(0, most)
}

/** Range of a value relative to its size: 1 for a switch that changed. */
function weightOf({ low, high }: Figures) {
  if (low === null || high === null || high <= low) return 0
  return (high - low) / Math.max(Math.abs(low), Math.abs(high))
}
