/** A place in two trees: what stands there in the first and in the second. */
type DiffRow = {
  /** Keys from the root. */
  path: readonly string[]
  kind: 'same' | 'changed' | 'first' | 'second'
  /** A place that has others below it shows no value of its own. */
  inner: boolean
  first?: unknown
  second?: unknown
}

type Tree = Record<string, unknown>

/** Every place of two trees in the order of the first, each below the one that it is in. */
export function diffRows(first: unknown, second: unknown): DiffRow[] {
  return below([], first, second)
}

function below(path: readonly string[], first: unknown, second: unknown): DiffRow[] {
  const [a, b] = [treeOf(first), treeOf(second)]
  const keys = [...new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])]
  return keys.flatMap((key) => {
    const sides = { first: a?.[key], second: b?.[key] }
    const place = [...path, key]
    const inside = isInner(sides.first) || isInner(sides.second)
    if (!inside) return [{ path: place, kind: kindOf(sides), inner: false, ...sides }]
    const rows = below(place, sides.first, sides.second)
    const kind = rows.every((row) => row.kind === 'same') ? 'same' : kindOf(sides)
    return [{ path: place, kind, inner: true }, ...rows]
  })
}

/** The rows that differ, and those above them. */
export function changedRows(rows: readonly DiffRow[]): DiffRow[] {
  return rows.filter(({ kind }) => kind !== 'same')
}

/** Number of values that differ; the objects that contain them do not count. */
export const changeCount = (rows: readonly DiffRow[]) =>
  rows.filter(({ kind, inner }) => kind !== 'same' && !inner).length

const isInner = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

const treeOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Tree) : undefined // a list is a tree of its places

function kindOf({ first, second }: Pick<DiffRow, 'first' | 'second'>): DiffRow['kind'] {
  if (first === undefined) return 'second'
  if (second === undefined) return 'first'
  return JSON.stringify(first) === JSON.stringify(second) ? 'same' : 'changed'
}
